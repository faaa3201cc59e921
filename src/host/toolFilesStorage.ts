import path from 'node:path';
import type { ExtensionContext } from 'vscode';

/** What is kept about the tool files of this workspace: absolute, in the extension's own storage. */
export function toolFilesStorage({ storageUri, globalStorageUri }: ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'toolFiles');
}

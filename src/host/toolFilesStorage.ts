import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { storageTwins } from './storageTwins';

/** What is kept about the tool files of this workspace: absolute, in the extension's own storage. */
export function toolFilesStorage({ storageUri, globalStorageUri }: ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'toolFiles');
}

/** Where it may have been kept by an extension host that lives on, or was killed a moment ago. */
export function toolFilesTwins({ storageUri }: ExtensionContext): readonly string[] {
  return storageUri === undefined ? [] : storageTwins(storageUri.fsPath, 'toolFiles').slice(1);
}

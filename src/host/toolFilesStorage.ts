import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { plainWorkspace } from './storageTwins';

/** What this window keeps about its tool files: absolute, in the extension's own storage. */
export function toolFilesStorage({ storageUri, globalStorageUri }: ExtensionContext): string {
  return path.join((storageUri ?? globalStorageUri).fsPath, 'toolFiles');
}

/**
 * What is kept about the tool files of this workspace: absolute. Beside the storage of the workspace
 * and not in it, since the editor gives that to one extension host at a time, and after a kill for a
 * while to none: what was approved would be asked about anew.
 */
export function approvalsFolder({ storageUri, globalStorageUri }: ExtensionContext): string {
  const workspace = storageUri === undefined ? 'none' : plainWorkspace(storageUri.fsPath);
  return path.join(globalStorageUri.fsPath, 'approvals', workspace);
}

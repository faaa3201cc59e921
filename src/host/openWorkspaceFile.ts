import path from 'node:path';
import { commands, Uri } from 'vscode';
import { WORKSPACE_FILE } from '../cli/serverBook';

/** Shows the file in which a workspace names its servers. */
export async function openWorkspaceFile(folder: string): Promise<void> {
  await commands.executeCommand('vscode.open', Uri.file(path.join(folder, WORKSPACE_FILE)));
}

import * as vscode from 'vscode';

/** Why a language may have no answer, in a few words for a message. */
export function whySilent(languageId: string): string {
  return vscode.workspace.isTrusted
    ? `no server for '${languageId}' knows it, or it is still starting`
    : `no server for '${languageId}' runs here: the workspace is not trusted`;
}

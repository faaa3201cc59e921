import type * as vscode from 'vscode';

const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

/** Whether the TypeScript server reads it. */
export function isTypeScript(document: vscode.TextDocument): boolean {
  return LANGUAGES.has(document.languageId);
}

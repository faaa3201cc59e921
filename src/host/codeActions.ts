import * as l10n from '@vscode/l10n';
import { languages, type TextEditor, window, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';

/** What fences call languages that the editor names otherwise. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescriptreact', js: 'javascript', jsx: 'javascriptreact' },
  ...{ mjs: 'javascript', cjs: 'javascript', py: 'python', rb: 'ruby', rs: 'rust', kt: 'kotlin' },
  ...{ sh: 'shellscript', bash: 'shellscript', zsh: 'shellscript', shell: 'shellscript' },
  ...{ ps1: 'powershell', yml: 'yaml', md: 'markdown', cs: 'csharp', 'c#': 'csharp' },
  ...{ 'c++': 'cpp', golang: 'go', docker: 'dockerfile', tex: 'latex', text: 'plaintext' },
};

/**
 * Puts code in place of each selection of the editor, as one undo step, and shows where.
 * @throws UserFacingError where no editor is open, or it cannot be changed
 */
export async function insertAtCursor(editor: TextEditor | undefined, text: string): Promise<void> {
  if (editor === undefined) {
    throw new UserFacingError(l10n.t('Open the file into which the code is to go first.'));
  }
  const done = await editor.edit((builder) => {
    for (const selection of editor.selections) builder.replace(selection, text);
  });
  if (!done) throw new UserFacingError(l10n.t('The editor took no change: is the file read-only?'));
  await window.showTextDocument(editor.document, editor.viewColumn);
}

/** Opens code as an untitled document. A language that the editor does not know is plain text. */
export async function openAsNewFile(content: string, fence: string): Promise<void> {
  const name = fence.toLowerCase();
  const wanted = ALIASES[name] ?? name;
  const language = (await languages.getLanguages()).includes(wanted) ? wanted : 'plaintext';
  await window.showTextDocument(await workspace.openTextDocument({ content, language }));
}

import * as l10n from '@vscode/l10n';
import type { EditorContext } from '../editor/editorContext';
import { shownPath } from '../editor/servedFiles';
import { UserFacingError } from '../base/errors';
import { fixProblemsPrompt, quoteSelection } from './promptTexts';

/** The selection of the active editor, quoted. @throws UserFacingError when nothing is selected */
export function quoteActiveSelection(context: EditorContext): string {
  const { document } = requireEditor(context);
  const selection = context.activeSelection();
  if (selection === undefined || selection.text === '') {
    throw new UserFacingError(l10n.t('Select the text that you want to ask about first.'));
  }
  return quoteSelection({
    ...selection,
    language: document.languageId === 'plaintext' ? '' : document.languageId,
  });
}

/** A prompt for the problems of the active file. @throws UserFacingError when it has none */
export function fixActiveProblems(context: EditorContext): string {
  const { uri } = requireEditor(context).document;
  const path = shownPath(uri);
  const problems = context.problemsOfFile(uri).filter((problem) => problem.severity !== 'hint');
  if (problems.length === 0) {
    throw new UserFacingError(l10n.t('No problems are reported for {0}.', path));
  }
  return fixProblemsPrompt(path, problems);
}

function requireEditor(
  context: EditorContext,
): NonNullable<ReturnType<EditorContext['activeEditor']>> {
  const editor = context.activeEditor();
  if (editor === undefined) throw new UserFacingError(l10n.t('Open a file in an editor first.'));
  return editor;
}

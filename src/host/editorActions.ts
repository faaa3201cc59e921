import * as l10n from '@vscode/l10n';
import type { Uri } from 'vscode';
import type { EditorContext } from '../editor/editorContext';
import { fileOf, type ReadGuard } from '../editor/readGuard';
import { shownPath } from '../editor/servedFiles';
import { UserFacingError } from '../base/errors';
import { fixProblemsPrompt, quoteSelection } from './promptTexts';

/**
 * The selection of the active editor, quoted.
 * @throws UserFacingError when nothing is selected, and of what is kept back
 */
export async function quoteActiveSelection(
  context: EditorContext,
  guard: ReadGuard | undefined,
): Promise<string> {
  const { document } = requireEditor(context);
  const selection = context.activeSelection();
  if (selection === undefined || selection.text === '') {
    throw new UserFacingError(l10n.t('Select the text that you want to ask about first.'));
  }
  await refuseKeptBack(document.uri, guard);
  return quoteSelection({
    ...selection,
    language: document.languageId === 'plaintext' ? '' : document.languageId,
  });
}

/**
 * A prompt for the problems of the active file.
 * @throws UserFacingError when it has none, and of what is kept back: a problem quotes it
 */
export async function fixActiveProblems(
  context: EditorContext,
  guard: ReadGuard | undefined,
): Promise<string> {
  const { uri } = requireEditor(context).document;
  const path = shownPath(uri);
  const problems = context.problemsOfFile(uri).filter((problem) => problem.severity !== 'hint');
  if (problems.length === 0) {
    throw new UserFacingError(l10n.t('No problems are reported for {0}.', path));
  }
  await refuseKeptBack(uri, guard);
  return fixProblemsPrompt(path, problems);
}

async function refuseKeptBack(uri: Uri, guard: ReadGuard | undefined): Promise<void> {
  const fsPath = fileOf(uri)?.fsPath;
  if (guard === undefined || fsPath === undefined) return;
  const [denied, withheld] = await Promise.all([
    guard.denied([fsPath]),
    guard.withheld?.([fsPath]) ?? new Map<string, string>(),
  ]);
  const rule = denied.get(fsPath);
  if (rule === undefined && !withheld.has(fsPath)) return;
  const path = shownPath(uri);
  throw new UserFacingError(
    rule === undefined
      ? l10n.t(
          'Nothing of {0} was given to the agent: it is one of the files that are kept back.',
          path,
        )
      : l10n.t(
          'Nothing of {0} was given to the agent: the rule {1} forbids reading it.',
          path,
          rule,
        ),
  );
}

function requireEditor(
  context: EditorContext,
): NonNullable<ReturnType<EditorContext['activeEditor']>> {
  const editor = context.activeEditor();
  if (editor === undefined) throw new UserFacingError(l10n.t('Open a file in an editor first.'));
  return editor;
}

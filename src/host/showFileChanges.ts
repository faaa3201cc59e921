import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { commands, Uri } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { FileChange, ToolFilesQuestion } from '../workspaceTools/toolFile';
import type { FileTexts, ProposedDiffs } from './proposedDiff';
import { isOpaque } from './toolFilesCard';

/** More files than this are shown in one tab: nobody walks through dozens. */
const TABS = 8;

/**
 * Shows what a question about tool files is about: what was approved beside what it is now. All of it
 * can only be read, and stays what it was when it was asked about.
 * @param index of one file; all of them where absent
 * @throws UserFacingError where there are no texts to be shown
 */
export async function showFileChanges(
  diffs: ProposedDiffs,
  { id, folder, changes }: ToolFilesQuestion,
  index?: number,
): Promise<void> {
  const wanted = index === undefined ? changes : changes.slice(index, index + 1);
  const shown = wanted.filter((change) => !isOpaque(change));
  if (shown.length === 0) {
    throw new UserFacingError(
      l10n.t('There is no text to show: the file is no text, or does not wait any more.'),
    );
  }
  const textsOf = ({ relativePath, before = '', after = '' }: FileChange): FileTexts => ({
    ...{ file: path.join(folder, relativePath), before, after },
  });
  if (shown.length > TABS) {
    const resources = shown.map((change) => {
      const texts = textsOf(change);
      return [Uri.file(texts.file), ...diffs.sides(texts, id)];
    });
    await commands.executeCommand('vscode.changes', allTitle(folder), resources);
    return;
  }
  for (const change of shown) {
    const name = path.posix.basename(change.relativePath);
    const title = l10n.t('{0} (approved ↔ now)', name);
    await diffs.showTexts(textsOf(change), id, { title, preview: shown.length === 1 });
  }
}

function allTitle(folder: string): string {
  return l10n.t('Tool files of {0} (approved ↔ now)', path.basename(folder));
}

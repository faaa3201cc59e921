import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { commands, Uri } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { Conversation } from '../conversation/conversationPorts';
import type { Change } from '../workFiles/revertChange';
import type { ProposedDiffs } from './proposedDiff';

interface Sides {
  readonly file: Uri;
  readonly before: Uri;
  /** The file itself, where it is there: it can be changed beside what was before. */
  readonly after: Uri;
}

/**
 * Shows what the agent has changed: what was before beside the file as it is. Of several files in one
 * tab.
 * @throws UserFacingError where there is no text to be shown
 */
export async function reviewChanges(
  diffs: ProposedDiffs,
  conversation: Pick<Conversation, 'changes'>,
  ids: readonly string[],
): Promise<void> {
  const sides: Sides[] = [];
  for (const id of ids) {
    const change = await conversation.changes.change(id);
    const shown = change && sidesOf(diffs, id, change);
    if (shown) sides.push(shown);
  }
  const [first, ...rest] = sides;
  if (first === undefined) {
    throw new UserFacingError(l10n.t('There is no text to show: it is no text, or too large.'));
  }
  if (rest.length === 0) {
    const title = l10n.t('{0} (before ↔ now)', path.basename(first.file.fsPath));
    await commands.executeCommand('vscode.diff', first.before, first.after, title, {
      preview: true,
    });
    return;
  }
  const title = l10n.t('Changes of the agent ({0} files)', sides.length);
  const resources = sides.map(({ file, before, after }) => [file, before, after]);
  await commands.executeCommand('vscode.changes', title, resources);
}

function sidesOf(
  diffs: ProposedDiffs,
  id: string,
  { path: file, base, after }: Change,
): Sides | undefined {
  const isShown = [base, after].every(({ kind }) => kind === 'text' || kind === 'none');
  if (!isShown) return undefined;
  const texts = [base, after].map((one) => (one.kind === 'text' ? one.text : ''));
  const [before = '', written = ''] = texts;
  // The editor of notebooks shows no text of one that is not on the disk.
  const isNotebook = /\.ipynb$/i.test(file);
  const name = isNotebook ? `${file}.json` : file;
  const [left, right] = diffs.sides({ file: name, before, after: written }, id);
  const isReal = after.kind !== 'none' && !isNotebook;
  return { file: Uri.file(file), before: left, after: isReal ? Uri.file(file) : right };
}

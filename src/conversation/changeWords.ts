import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type { ChangedFile, Changes } from '../chat/changesProtocol';
import { displayPath } from '../chat/displayPath';
import { visibleText } from '../chat/visibleText';
import type { ChangeBook } from '../workFiles/changeBook';
import {
  type ChangeEntry,
  changeKind,
  type ChangeProblem,
  type KeptFile,
} from '../workFiles/changeEntry';

/** What the panel shows of a book; undefined for nothing. @param folder in which the agent works */
export function changesOf(
  { entries, undone }: Pick<ChangeBook, 'entries' | 'undone'>,
  folder: string | undefined,
): Changes | undefined {
  const shown = (file: string): string => visibleText(displayPath(file, folder));
  const [first] = undone?.paths ?? [];
  if (entries.length === 0 && first === undefined) return undefined;
  const files = entries.map((entry) => rowOf(entry, shown));
  if (undone === undefined || first === undefined) return { files };
  const { id, paths, problem } = undone;
  const told = problem && { problem: problemWords(problem, shown) };
  return { files, undone: { id, count: paths.length, path: shown(first), ...told } };
}

function rowOf(entry: ChangeEntry, shown: (file: string) => string): ChangedFile {
  const { id, path, from, added, removed, base, after, problem } = entry;
  const note = noteOf(base) ?? noteOf(after);
  return {
    ...{ id, path: shown(path), kind: changeKind(entry), added, removed },
    ...(from === undefined ? {} : { from: shown(from) }),
    ...(note === undefined ? {} : { note }),
    ...(problem ? { problem: problemWords(problem, shown) } : {}),
  };
}

function noteOf(file: KeptFile): string | undefined {
  switch (file.kind) {
    case 'none':
    case 'text':
      return undefined;
    case 'folder':
      return l10n.t('folder');
    case 'binary':
      return l10n.t('not text');
    case 'opaque':
      return opaqueNote(file.why);
    default:
      return assertNever(file, 'kept file');
  }
}

function opaqueNote(why: Extract<KeptFile, { kind: 'opaque' }>['why']): string {
  switch (why) {
    case 'large':
      return l10n.t('over 5 MB: cannot be undone');
    case 'unreadable':
      return l10n.t('could not be read: cannot be undone');
    case 'full':
      return l10n.t('too much was changed to keep it: cannot be undone');
    default:
      return assertNever(why, 'reason');
  }
}

/** Why nothing was changed, and what to do about it. */
function problemWords(
  { kind, detail = '' }: ChangeProblem,
  shown: (file: string) => string,
): string {
  switch (kind) {
    case 'busy':
      return l10n.t('Not undone: the agent is just changing it. Wait until the call has ended.');
    case 'overlap':
      return l10n.t(
        'Not undone: you have changed the same lines since. Take what you want back under Review.',
      );
    case 'changedNew':
      return l10n.t(
        'Not undone: you have changed this new file since, and it would be deleted. Delete it yourself, or keep it.',
      );
    case 'changed':
      return l10n.t('Not undone: it has been changed since, and is no text. Keep it as it is.');
    case 'gone':
      return l10n.t('Not undone: it is not there any more. Keep takes it off the list.');
    case 'exists':
      return l10n.t('Not undone: there is another file in its place by now. Look under Review.');
    case 'placeTaken':
      return l10n.t('Not undone: there is another file at {0} by now.', shown(detail));
    case 'changing':
      return l10n.t('Not undone: it changes all the time. Try again in a moment.');
    case 'failed':
      return l10n.t('Not undone: {0}', visibleText(detail));
    case 'large':
      return l10n.t('Not undone: it has more than 5 MB, and what was before is not kept.');
    case 'unreadable':
      return l10n.t('Not undone: what was before could not be read.');
    case 'full':
      return l10n.t(
        'Not undone: so much was changed that what was before is not kept. Keep what you want to keep, to make room.',
      );
    default:
      return assertNever(kind, 'problem');
  }
}

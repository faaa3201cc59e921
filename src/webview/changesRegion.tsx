import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { assertNever } from '../base/assertNever';
import type { ChangeAction, ChangedFile, Changes, UndoneChanges } from '../chat/changesProtocol';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';
import { DiffFigure } from './toolRow';

/** So many rows are drawn; the buttons for all are about the others too. */
const MAX_ROWS = 200;

/** The files that the agent has changed, sitting on the message box: one line, and a row each below it. */
export function ChangesRegion() {
  const { store } = usePanel();
  store.watch('fields');
  const { changes } = store.current;
  useAnnounced(changes);
  const files = changes?.files ?? [];
  if (!changes || (files.length === 0 && !changes.undone)) return null;
  return (
    <section class="changes" aria-label={l10n.t('Changes')}>
      {files.length > 0 && <Files files={files} />}
      {changes.undone && <UndoneNote undone={changes.undone} />}
    </section>
  );
}

function Files({ files }: { readonly files: readonly ChangedFile[] }) {
  const { post } = usePanel();
  const [choice, setChoice] = useState(false);
  const problems = files.filter(({ problem }) => problem !== undefined).length;
  const seen = useRef(0);
  // What was not undone says so in its row: a list that is folded opens for it, once.
  seen.current = Math.min(seen.current, problems);
  const isOpen = choice || problems > seen.current;
  const fold = () => {
    seen.current = problems;
    setChoice(!isOpen);
  };
  const act = (action: ChangeAction) => () =>
    post({ type: 'changes', action, ids: files.map(({ id }) => id) });
  const sum = (count: (file: ChangedFile) => number) =>
    files.reduce((all, file) => all + count(file), 0);
  return (
    <>
      <div class="changes-bar">
        <button type="button" class="fold changes-fold" aria-expanded={isOpen} onClick={fold}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span>{countWords(files.length)}</span>
          <DiffFigure added={sum(({ added }) => added)} removed={sum(({ removed }) => removed)} />
        </button>
        <span class="changes-all">
          <button
            type="button"
            class="text-button"
            aria-label={l10n.t('Review all')}
            onClick={act('review')}
          >
            {l10n.t('Review')}
          </button>
          <button type="button" class="text-button" onClick={act('undo')}>
            {l10n.t('Undo all')}
          </button>
          <button type="button" class="text-button" onClick={act('keep')}>
            {l10n.t('Keep all')}
          </button>
        </span>
      </div>
      {isOpen && <Rows files={files} />}
    </>
  );
}

function Rows({ files }: { readonly files: readonly ChangedFile[] }) {
  const more = files.length - MAX_ROWS;
  return (
    <ul class="changes-list" aria-label={l10n.t('Changed files')}>
      {files.slice(0, MAX_ROWS).map((file) => (
        <FileRow key={file.id} file={file} />
      ))}
      {more > 0 && <li class="changes-rest">{l10n.t('{0} more files', more)}</li>}
    </ul>
  );
}

function FileRow({ file }: { readonly file: ChangedFile }) {
  const { post } = usePanel();
  const { id, path, kind, from, added, removed, note, problem } = file;
  const act = (action: ChangeAction) => () => post({ type: 'changes', action, ids: [id] });
  const [folder, name] = splitPath(path);
  const moved = from === undefined ? undefined : l10n.t('was {0}', from);
  const about = [kindWord(kind), moved, note].filter((part) => part !== undefined).join(', ');
  const also = moved ?? note;
  const words = `changes-${id}`;
  return (
    <li class="changes-row">
      <div class="changes-line">
        <Icon name={KIND_ICONS[kind]} class={`changes-kind changes-${kind}`} />
        <span class="changes-path" id={words} dir="ltr" title={`${path} (${about})`}>
          <bdi class="changes-name">{name}</bdi>{' '}
          <span class="changes-more">
            <bdi>{folder}</bdi>
            {also !== undefined && (
              <span aria-hidden="true">
                {folder !== '' && ' · '}
                <bdi>{also}</bdi>
              </span>
            )}
          </span>
          <span class="sr-only"> {about}</span>
        </span>
        {added + removed > 0 && <DiffFigure added={added} removed={removed} />}
        <RowButton
          icon="diff"
          name={l10n.t('Review')}
          of={path}
          words={words}
          act={act('review')}
        />
        <RowButton icon="discard" name={l10n.t('Undo')} of={path} words={words} act={act('undo')} />
        <RowButton icon="check" name={l10n.t('Keep')} of={path} words={words} act={act('keep')} />
      </div>
      {problem !== undefined && (
        <p class="changes-problem" dir="auto">
          <Icon name="warning" />
          <span>{problem}</span>
        </p>
      )}
    </li>
  );
}

function RowButton(props: {
  readonly icon: string;
  readonly name: string;
  readonly of: string;
  /** Id of what says which file it is. */
  readonly words: string;
  readonly act: () => void;
}) {
  return (
    <IconButton
      icon={props.icon}
      name={props.name}
      hint={`${props.name}: ${props.of}`}
      describedBy={props.words}
      onClick={props.act}
    />
  );
}

/** What was undone last, with the way back. */
function UndoneNote({ undone }: { readonly undone: UndoneChanges }) {
  const { post } = usePanel();
  const act = (action: ChangeAction) => () => post({ type: 'changes', action, ids: [undone.id] });
  const { problem } = undone;
  return (
    <div class="changes-undone">
      <Icon name={problem === undefined ? 'discard' : 'warning'} />
      <span class="changes-words" dir="auto" title={undone.path}>
        {undoneWords(undone)}
      </span>
      <button type="button" class="text-button" onClick={act('redo')}>
        {l10n.t('Redo')}
      </button>
      <IconButton icon="close" name={l10n.t('Dismiss')} onClick={act('forget')} />
    </div>
  );
}

/** Said once: that there is something to review, what was undone, and what was not. */
function useAnnounced(changes: Changes | undefined): void {
  const { announcer } = usePanel();
  const told = useRef<Changes | undefined>(changes);
  useEffect(() => {
    const before = told.current;
    told.current = changes;
    for (const words of spokenWords(before, changes)) announcer.say(words);
  }, [changes, announcer]);
}

function spokenWords(before: Changes | undefined, now: Changes | undefined): readonly string[] {
  const said: string[] = [];
  const { files = [], undone } = now ?? {};
  const isBack = before?.undone !== undefined && undone === undefined;
  if ((before?.files.length ?? 0) === 0 && files.length > 0 && !isBack) {
    said.push(l10n.t('{0}: review them under Changes', countWords(files.length)));
  }
  if (undone && (undone.id !== before?.undone?.id || undone.problem !== before.undone.problem)) {
    said.push(undoneWords(undone));
  }
  const old = new Map(before?.files.map(({ id, problem }) => [id, problem]));
  const failed = files.filter(
    ({ id, problem }) => problem !== undefined && problem !== old.get(id),
  );
  const [first] = failed;
  if (failed.length === 1 && first) said.push(`${first.path}: ${first.problem ?? ''}`);
  else if (failed.length > 1) said.push(l10n.t('{0} files were not undone', failed.length));
  return said;
}

function countWords(count: number): string {
  return count === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', count);
}

function undoneWords({ count, path, problem }: UndoneChanges): string {
  if (problem !== undefined) return problem;
  return count === 1 ? l10n.t('Undone: {0}', path) : l10n.t('Undone: {0} files', count);
}

const KIND_ICONS: Readonly<Record<ChangedFile['kind'], string>> = {
  edited: 'diff-modified',
  created: 'diff-added',
  deleted: 'diff-removed',
  moved: 'diff-renamed',
};

function kindWord(kind: ChangedFile['kind']): string {
  switch (kind) {
    case 'edited':
      return l10n.t('edited');
    case 'created':
      return l10n.t('created');
    case 'deleted':
      return l10n.t('deleted');
    case 'moved':
      return l10n.t('moved');
    default:
      return assertNever(kind, 'change kind');
  }
}

function splitPath(path: string): readonly [folder: string, name: string] {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return [at === -1 ? '' : path.slice(0, at), path.slice(at + 1)];
}

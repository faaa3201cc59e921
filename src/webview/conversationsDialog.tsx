import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ellipsize } from '../base/cutText';
import {
  CONVERSATIONS_SHOWN,
  type ConversationRow,
  searchConversations,
} from '../chat/conversationsProtocol';
import { isImeKey } from './composerKeys';
import { ConversationRows } from './conversationRows';
import { IconButton } from './icon';
import { usePanel } from './panelContext';
import { usePopup } from './usePopup';

/** The button of the header, and under it the dialog with the past conversations of the folder. */
export function ConversationsButton() {
  const popup = usePopup();
  const { setOpen } = popup;
  const requests = usePanel().conversations.openRequests.value;
  const seen = useRef(requests);
  useLayoutEffect(() => {
    if (requests > seen.current) setOpen(true);
    seen.current = requests;
  }, [requests, setOpen]);
  return (
    <div class="conversations" ref={popup.root}>
      <IconButton
        icon="history"
        name={l10n.t('Conversations')}
        hasDialog={popup.open}
        buttonRef={popup.button}
        onClick={() => popup.setOpen(!popup.open)}
      />
      {popup.open && <ConversationsDialog close={popup.close} />}
    </div>
  );
}

function ConversationsDialog({ close }: { readonly close: (refocus: boolean) => void }) {
  const { conversations, post } = usePanel();
  const answer = conversations.answer.value;
  const [search, setSearch] = useState('');
  const [active, setActive] = useState<Active>({ place: 0, id: undefined });
  const base = useId();
  const box = useRef<HTMLInputElement>(null);
  useOpen(box);
  const found = answer?.kind === 'list' ? searchConversations(answer.rows, search) : [];
  const rows = found.slice(0, CONVERSATIONS_SHOWN);
  const at = placeIn(rows, active);
  const point = (place: number) => setActive({ place, id: rows[place]?.sessionId });
  const toSearch = () => box.current?.focus();
  const choose = (row: ConversationRow | undefined) => {
    if (!row) return;
    close(true);
    // Also what is said to be open here: until the new list has come, this is the last time's.
    post({ type: 'openConversation', sessionId: row.sessionId });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    keepWords(event);
    // On a button Enter presses it.
    if (isImeKey(event) || (event.key !== 'Escape' && event.target !== box.current)) return;
    const step = STEPS[event.key];
    if (step !== undefined) point(Math.max(0, Math.min(at + step, rows.length - 1)));
    // Held down, it is the one that has opened the dialog.
    else if (event.key === 'Enter') choose(event.repeat ? undefined : rows[at]);
    else if (event.key === 'Escape') close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="dialog"
      class="popup conversations-dialog"
      aria-label={l10n.t('Conversations')}
      onKeyDown={onKeyDown}
    >
      <SearchBox
        {...{ box, search }}
        list={rows.length > 0 ? base : undefined}
        active={at}
        onSearch={(words) => {
          setSearch(words);
          setActive({ place: 0, id: undefined });
        }}
      />
      {rows.length > 0 && (
        <ConversationRows
          {...{ rows, base, choose, close }}
          active={at}
          onPoint={point}
          toSearch={toSearch}
        />
      )}
      <Footer answer={answer} found={found.length} search={search} toSearch={toSearch} />
    </div>
  );
}

/** The row that was moved to: by its conversation, since a newer list may have it elsewhere. */
interface Active {
  readonly place: number;
  /** Undefined until somebody moves. */
  readonly id: string | undefined;
}

/** Where one has gone the next one has its place. */
function placeIn(rows: readonly ConversationRow[], { place, id }: Active): number {
  const at = id === undefined ? -1 : rows.findIndex(({ sessionId }) => sessionId === id);
  return at === -1 ? Math.min(place, rows.length - 1) : at;
}

/** On some systems the Escape that ends a composition would empty a search box. */
function keepWords(event: KeyboardEvent): void {
  if (isImeKey(event) && event.key === 'Escape') event.preventDefault();
}

/** Asks for the list, and tells while the dialog is there. */
function useOpen(box: RefObject<HTMLInputElement | null>): void {
  const { conversations } = usePanel();
  useLayoutEffect(() => {
    conversations.opened();
    conversations.refresh();
    box.current?.focus();
    return () => conversations.closed();
  }, [conversations, box]);
}

function SearchBox(props: {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly search: string;
  /** The id of the rows; undefined where there are none. */
  readonly list: string | undefined;
  readonly active: number;
  readonly onSearch: (words: string) => void;
}) {
  const { list } = props;
  return (
    <input
      ref={props.box}
      type="search"
      class="input conversations-search"
      aria-label={l10n.t('Search conversations')}
      placeholder={l10n.t('Search conversations')}
      aria-controls={list === undefined ? undefined : `${list}-list`}
      aria-activedescendant={list === undefined ? undefined : `${list}-${props.active}`}
      value={props.search}
      onInput={(event) => props.onSearch(event.currentTarget.value)}
    />
  );
}

/** So much of a title says which one went. */
const DELETED_CHARS = 60;

/** What became of the last thing that was asked for, or how many there are. */
function Footer(props: {
  readonly answer: Answer;
  readonly found: number;
  readonly search: string;
  readonly toSearch: () => void;
}) {
  const { post, conversations } = usePanel();
  const { answer } = props;
  const { deleted, problem } = answer?.kind === 'list' ? answer : {};
  return (
    <div class="conversations-footer">
      <p class="conversations-note" role="status" dir="auto">
        {problem ??
          (deleted
            ? l10n.t('Deleted: {0}', ellipsize(deleted.title, DELETED_CHARS))
            : noteOf(answer, props.found, props.search))}
      </p>
      {deleted && (
        <button
          type="button"
          class="button secondary"
          onClick={() => {
            props.toSearch();
            conversations.undoing();
            post({ type: 'undeleteConversation', sessionId: deleted.sessionId });
          }}
        >
          {l10n.t('Undo')}
        </button>
      )}
    </div>
  );
}

/** How far a key moves. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
};

type Answer = ReturnType<typeof usePanel>['conversations']['answer']['value'];

/** What stands under the rows, or in their place. */
function noteOf(answer: Answer, found: number, search: string): string {
  if (answer === undefined) return l10n.t('Looking for conversations…');
  if (answer.kind === 'failed') return answer.reason;
  if (answer.rows.length === 0) return l10n.t('There are no conversations in this folder yet.');
  if (found === 0) return l10n.t('No conversation has “{0}”.', search.trim());
  if (found > CONVERSATIONS_SHOWN) {
    return l10n.t('{0} of {1} are shown: type to find others.', CONVERSATIONS_SHOWN, found);
  }
  return found === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', found);
}

import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  CONVERSATIONS_SHOWN,
  type ConversationRow,
  searchConversations,
} from '../chat/conversationsProtocol';
import { agoWords } from './agoWords';
import { isImeKey } from './composerKeys';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';
import { usePopup } from './usePopup';

/** The button of the header, and under it the dialog with the past conversations of the folder. */
export function ConversationsButton() {
  const popup = usePopup();
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
  const [active, setActive] = useState(0);
  const base = useId();
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    conversations.refresh();
    box.current?.focus();
  }, [conversations]);
  const found = answer?.kind === 'list' ? searchConversations(answer.rows, search) : [];
  const rows = found.slice(0, CONVERSATIONS_SHOWN);
  const at = Math.min(active, rows.length - 1);
  const choose = (row: ConversationRow | undefined) => {
    if (!row) return;
    close(true);
    if (row.open !== 'here') post({ type: 'openConversation', sessionId: row.sessionId });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isImeKey(event)) return;
    const step = STEPS[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(at + step, rows.length - 1)));
    else if (event.key === 'Enter') choose(rows[at]);
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
      <input
        ref={box}
        type="search"
        class="input conversations-search"
        aria-label={l10n.t('Search conversations')}
        placeholder={l10n.t('Search conversations')}
        aria-controls={rows.length > 0 ? `${base}-list` : undefined}
        aria-activedescendant={rows.length > 0 ? `${base}-${at}` : undefined}
        value={search}
        onInput={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
        }}
      />
      {rows.length > 0 && <RowList {...{ rows, base, choose }} active={at} onPoint={setActive} />}
      <p class="conversations-note" role="status" dir="auto">
        {noteOf(answer, found.length, search)}
      </p>
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

function RowList(props: {
  readonly rows: readonly ConversationRow[];
  readonly base: string;
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly choose: (row: ConversationRow) => void;
}) {
  const { rows, base, active } = props;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, rows]);
  const now = Date.now();
  return (
    <div
      ref={list}
      id={`${base}-list`}
      role="listbox"
      class="conversations-rows"
      aria-label={l10n.t('Conversations')}
      // The press must not take the focus from the search.
      onMouseDown={(event) => event.preventDefault()}
    >
      {rows.map((row, index) => (
        <div
          key={row.sessionId}
          id={`${base}-${index}`}
          role="option"
          class={`option conversations-row ${index === active ? 'option-active' : ''}`}
          aria-selected={index === active}
          title={row.title}
          onPointerMove={() => props.onPoint(index)}
          onClick={() => props.choose(row)}
        >
          <span class="conversations-title" dir="auto">
            {row.title}
          </span>
          <span class="option-detail conversations-when">
            {row.open === undefined ? agoWords(row.changedAt, now) : openWords(row.open)}
          </span>
          {row.about !== undefined && (
            <span class="option-detail conversations-about" dir="auto">
              {row.about}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function openWords(open: 'here' | 'elsewhere') {
  return (
    <>
      <Icon name={open === 'here' ? 'check' : 'window'} />{' '}
      {open === 'here' ? l10n.t('open here') : l10n.t('open in another tab')}
    </>
  );
}

import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConversationRow } from '../chat/conversationsProtocol';
import { agoWords } from './agoWords';
import { Icon } from './icon';
import { RowActions } from './rowActions';

/** The rows of the dialog. The focus stays in the search; the buttons lie over the active row. */
export function ConversationRows(props: {
  readonly rows: readonly ConversationRow[];
  readonly base: string;
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly choose: (row: ConversationRow) => void;
  readonly close: (refocus: boolean) => void;
  readonly toSearch: () => void;
}) {
  const { rows, base, active } = props;
  const [renamed, setRenamed] = useState<string | undefined>(undefined);
  const { list, over } = useOverRow(active, rows, renamed);
  const row = rows[active];
  // A row that the pointer crosses must not take the box away from under the hands.
  const point = (index: number) => {
    if (renamed === undefined) props.onPoint(index);
  };
  return (
    <div class="conversations-rows">
      <div
        ref={list}
        id={`${base}-list`}
        role="listbox"
        aria-label={l10n.t('Conversations')}
        // The press must not take the focus from the search.
        onMouseDown={(event) => event.preventDefault()}
      >
        {rows.map((each, index) => (
          <Row
            key={each.sessionId}
            row={each}
            id={`${base}-${index}`}
            isActive={index === active}
            onPoint={() => point(index)}
            choose={() => props.choose(each)}
          />
        ))}
      </div>
      {row && (
        <div ref={over} class="conversations-over">
          <RowActions
            key={row.sessionId}
            row={row}
            isRenamed={renamed === row.sessionId}
            setRenamed={(isRenamed) => {
              setRenamed(isRenamed ? row.sessionId : undefined);
              if (!isRenamed) props.toSearch();
            }}
            close={props.close}
            toSearch={props.toSearch}
          />
        </div>
      )}
    </div>
  );
}

/** Keeps what lies over the active row in its place. */
function useOverRow(active: number, rows: readonly ConversationRow[], renamed: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const over = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = list.current?.children[active];
    row?.scrollIntoView({ block: 'nearest' });
    if (!(row instanceof HTMLElement)) return;
    over.current?.style.setProperty('inset-block-start', `${row.offsetTop}px`);
  }, [active, rows, renamed]);
  return { list, over };
}

function Row(props: {
  readonly row: ConversationRow;
  readonly id: string;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly choose: () => void;
}) {
  const { row, isActive } = props;
  return (
    <div
      id={props.id}
      role="option"
      class={`option conversations-row ${isActive ? 'option-active' : ''}`}
      aria-selected={isActive}
      title={row.title}
      onPointerMove={props.onPoint}
      onClick={props.choose}
    >
      <span class="conversations-title" dir="auto">
        {row.title}
      </span>
      <span class="option-detail conversations-when">
        {row.open === undefined ? agoWords(row.changedAt, Date.now()) : openWords(row.open)}
      </span>
      {row.about !== undefined && (
        <span class="option-detail conversations-about" dir="auto">
          {row.about}
        </span>
      )}
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

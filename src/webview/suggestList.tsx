import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SuggestRow } from '../chat/suggestProtocol';
import { Icon } from './icon';
import { usePanel } from './panelContext';

export const SUGGEST_LIST_ID = 'suggest-list';
export const SUGGEST_HINT_ID = 'suggest-hint';
export const suggestRowId = (index: number): string => `suggest-${index}`;

/** What could complete the word at the caret, over the message box. The box keeps the focus. */
export function SuggestList() {
  const { suggest } = usePanel();
  const view = suggest.view.value;
  const list = useRef<HTMLDivElement>(null);
  const active = view?.active ?? -1;
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, view?.rows]);
  if (!view) return null;
  const { rows, notes, isPending } = view;
  return (
    <div
      class="popup suggest"
      // The press must not take the focus from the box.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <div
        ref={list}
        id={SUGGEST_LIST_ID}
        role="listbox"
        class="suggest-rows"
        aria-label={view.kind === 'mention' ? l10n.t('Mentions') : l10n.t('Commands')}
        aria-busy={isPending}
      >
        {rows.map((row, index) => (
          <Row
            key={row.id}
            row={row}
            index={index}
            active={index === active}
            onPoint={() => suggest.point(index)}
            onChoose={() => suggest.choose(index)}
          />
        ))}
      </div>
      {isPending && (
        <p class="suggest-note">
          <Icon name="loading" spin />
          <span>{l10n.t('Looking for more…')}</span>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="suggest-note" dir="auto">
          <Icon name="info" />
          <span>{note}</span>
        </p>
      ))}
    </div>
  );
}

function Row(props: {
  readonly row: SuggestRow;
  readonly index: number;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  const { label, detail, origin, description, icon } = props.row;
  return (
    <div
      id={suggestRowId(props.index)}
      role="option"
      class={`option suggest-row ${props.active ? 'option-active' : ''}`}
      aria-selected={props.active}
      onPointerMove={props.onPoint}
      onClick={props.onChoose}
    >
      <Icon name={icon} class="option-check" />
      <span class="suggest-line">
        <span class="suggest-label">{label}</span>
        {detail !== undefined && (
          <span class="suggest-detail" title={detail}>
            {detail}
          </span>
        )}
        {origin !== undefined && <span class="suggest-origin">{origin}</span>}
      </span>
      {description !== undefined && <span class="option-detail suggest-about">{description}</span>}
    </div>
  );
}

/** What the command still takes: read with the box, and drawn under it. */
export function SuggestHint() {
  const { suggest } = usePanel();
  const hint = suggest.hint.value;
  return (
    <p class={hint === undefined ? 'sr-only' : 'suggest-hint'} id={SUGGEST_HINT_ID} dir="auto">
      {hint}
    </p>
  );
}

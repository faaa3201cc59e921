import * as l10n from '@vscode/l10n';
import type { FrameRow } from '../../chat/frameRowProtocol';
import { Icon } from '../icon';
import { byteCount, clockTime, kindWord, pairWords, roleWord, spokenStart } from './frameWords';
import { ROW_HEIGHT } from './visibleRows';

export interface FrameLineProps {
  readonly row: FrameRow;
  /** From 0, among those that are shown. */
  readonly place: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

/** One row of the list. */
export function FrameLine({ row, place, count, isSelected, onSelect }: FrameLineProps) {
  return (
    <div
      id={`frame-${row.n}`}
      class={`row row-grid${isSelected ? ' row-selected' : ''}`}
      style={{ insetBlockStart: `${place * ROW_HEIGHT}px` }}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place + 1}
      aria-setsize={count}
      onMouseDown={onSelect}
    >
      <span class="sr-only">{spokenStart(row)}</span>
      <span class="col-time">{clockTime(row.t)}</span>
      <Icon name={row.dir === 'in' ? 'arrow-down' : 'arrow-up'} class={`way way-${row.dir}`} />
      <span class={`col-kind kind-${row.kind}`}>{kindWord(row.kind)}</span>
      <span class="col-what">
        <span class="label">{row.label}</span> <Tag row={row} />{' '}
        {row.detail !== undefined && <span class="about">{row.detail}</span>}
      </span>
      <span class="col-id">{row.id?.slice(0, 12)}</span>
      <span class="col-number">{byteCount(row.bytes)}</span>
      <span class={`col-number pair pair-${row.state ?? 'none'}`}>{pairWords(row)}</span>
    </div>
  );
}

/** What is neither a request nor a plain message says so. */
function Tag({ row }: { readonly row: FrameRow }) {
  if (row.isError === true) return <span class="tag tag-error">{l10n.t('error')}</span>;
  if (row.role === undefined || row.role === 'request') return null;
  return <span class="tag">{roleWord(row)}</span>;
}

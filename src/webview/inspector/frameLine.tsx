import type { FrameRow } from '../../chat/frameRowProtocol';
import { Icon } from '../icon';
import { byteCount, clockTime, kindWord, pairWords, rowName } from './frameWords';
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
      aria-label={rowName(row)}
      aria-posinset={place + 1}
      aria-setsize={count}
      onMouseDown={onSelect}
    >
      <span class="col-time">{clockTime(row.t)}</span>
      <Icon name={wayIcon(row)} class={`way way-${row.dir}`} />
      <span class={`col-kind kind-${row.kind}`}>{kindWord(row.kind)}</span>
      <span class="col-what">
        {row.isError === true && <Icon name="error" class="row-error" />}
        <span class="label">{row.label}</span>
        {row.detail !== undefined && <span class="about">{row.detail}</span>}
      </span>
      <span class="col-id">{row.id?.slice(0, 12)}</span>
      <span class="col-number">{byteCount(row.bytes)}</span>
      <span class={`col-number pair pair-${row.state ?? 'none'}`}>{pairWords(row)}</span>
    </div>
  );
}

/** An answer turns back; a request, or what wants no answer, goes on. */
function wayIcon({ dir, role }: FrameRow): string {
  if (role === 'answer') return dir === 'in' ? 'arrow-small-down' : 'arrow-small-up';
  return dir === 'in' ? 'arrow-down' : 'arrow-up';
}

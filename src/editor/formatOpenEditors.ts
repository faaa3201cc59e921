import { ellipsize } from '../base/cutText';
import { count, fillPage, RESULT_LIMIT, type PageItem } from './resultBudget';

/** One tab; lines are 1-based. */
export interface OpenEditor {
  /** Path as the model sees it, or the label of a tab without a document. */
  readonly name: string;
  /** `diff`, `webview` and so on; undefined for a plain text editor. */
  readonly kind?: string;
  readonly active: boolean;
  readonly visible: boolean;
  readonly dirty: boolean;
  readonly cursor?: number;
  readonly selection?: { readonly from: number; readonly to: number };
}

/** Documents without a tab that are named. */
const HIDDEN = 10;
/** Room for the first and last lines of a result. */
const FRAME = 300;

export type EditorGroup = readonly OpenEditor[];

/** Counts first, then the tabs in their order, by group where there are several. */
export function formatOpenEditors(
  groups: readonly EditorGroup[],
  hiddenDirty: readonly string[],
): string {
  const filled = groups.filter((group) => group.length > 0);
  const tabs = filled.flat();
  const hidden = hiddenDirty
    .slice(0, HIDDEN)
    .map((path) => `unsaved, without a tab: ${ellipsize(path, 300)}`);
  const more = hiddenDirty.length - hidden.length;
  if (more > 0) hidden.push(`unsaved, without a tab: ${count(more, 'more file')}`);
  if (tabs.length === 0) return ['no open editors', ...hidden].join('\n');
  const dirty = tabs.filter((tab) => tab.dirty).length;
  const across = filled.length > 1 ? ` in ${count(filled.length, 'group')}` : '';
  const title = `${count(tabs.length, 'open editor')}${across}, ${dirty} unsaved`;
  const items = filled.flatMap((group, index) =>
    group.map((tab): PageItem => ({ group: `group ${index + 1}`, text: tabLine(tab) })),
  );
  // The active and the visible ones come first in a cut, and all others keep their order.
  const { lines, end } = fillPage(bringForward(items, tabs), 0, {
    chars: RESULT_LIMIT - FRAME - hidden.join('\n').length,
    items: Infinity,
  });
  const shown = filled.length > 1 ? lines : lines.slice(1);
  const rest = end < items.length ? [`left: ${count(items.length - end, 'more editor')}`] : [];
  return [title, ...shown, ...hidden, ...rest].join('\n');
}

function bringForward(
  items: readonly PageItem[],
  tabs: readonly OpenEditor[],
): readonly PageItem[] {
  if (items.length <= 60) return items;
  const near = items.filter(
    (_, index) => tabs[index]?.visible === true || tabs[index]?.dirty === true,
  );
  return [...near, ...items.filter((item) => !near.includes(item))];
}

function tabLine(tab: OpenEditor): string {
  const marks = [
    tab.kind,
    tab.active ? 'active' : tab.visible ? 'visible' : undefined,
    tab.dirty ? 'unsaved' : undefined,
    lines(tab),
  ].filter((mark) => mark !== undefined);
  // A path is told as it is: its name may have several blanks in a row.
  return ` ${ellipsize(tab.name, 300)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
}

function lines({ selection, cursor }: OpenEditor): string | undefined {
  if (selection === undefined) return cursor === undefined ? undefined : `cursor at line ${cursor}`;
  const { from, to } = selection;
  return from === to ? `selected in line ${from}` : `selected lines ${from}-${to}`;
}

import type { TextChange } from '../base/changeBetween';
import type { PlanComment } from './askProtocol';

/**
 * The comments after changes of the text on which they stand. An editor does not move them: each
 * keeps the lines it was made for, as far as they are still there. Where they were deleted it stays,
 * says so, and comes back with its lines.
 * @param changes one after the other, each for the text that the one before has left
 */
export function moveComments(
  comments: readonly PlanComment[],
  text: string,
  changes: readonly TextChange[],
): { readonly comments: readonly PlanComment[]; readonly text: string } {
  let spans = comments.map((comment) => spanOf(text, comment));
  let now = text;
  for (const change of changes) {
    spans = spans.map((span) => moveSpan(span, change));
    now = now.slice(0, change.offset) + change.text + now.slice(change.offset + change.length);
  }
  const after = now;
  const moved = comments.map((comment, index) => commentAt(comment, spans[index], after));
  return { comments: moved, text: after };
}

/** The lines `from` to `to` of a text, without the end of the last one. */
export function linesOf(text: string, from: number, to: number): string {
  const { start, end } = spanOf(text, { from, to });
  return text.slice(start, end);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isGone: boolean;
}

function spanOf(
  text: string,
  { from, to, isGone = false }: Pick<PlanComment, 'from' | 'to' | 'isGone'>,
): Span {
  const start = lineStart(text, from);
  const newline = text.indexOf('\n', lineStart(text, Math.max(from, to)));
  const whole = newline === -1 ? text.length : newline;
  const end = whole > start && text[whole - 1] === '\r' ? whole - 1 : whole;
  return { start, end, isGone };
}

function moveSpan(span: Span, { offset, length, text }: TextChange): Span {
  const { start, end, isGone } = span;
  const last = offset + length;
  const grown = text.length - length;
  // Written anew, the lines are still the same lines.
  if (offset === start && last === end && text.trim() !== '') {
    return { start, end: start + text.length, isGone };
  }
  if (length > 0 && offset <= start && last >= end) {
    return { start: offset, end: offset, isGone: true };
  }
  if (last <= start) return { start: start + grown, end: end + grown, isGone };
  if (offset >= end) return span;
  if (offset < start) return { start: offset + text.length, end: end + grown, isGone };
  if (last >= end) return { start, end: offset, isGone };
  return { start, end: end + grown, isGone };
}

function commentAt(comment: PlanComment, span: Span | undefined, text: string): PlanComment {
  const at = span ?? { start: 0, end: 0, isGone: true };
  if (!at.isGone) {
    const where = withoutNeighbours(text, at, comment.origin);
    return { ...comment, ...where, quote: linesOf(text, where.from, where.to), isGone: undefined };
  }
  const back = wholeLinesAt(text, comment.quote);
  if (back !== undefined) {
    const where = lines(text, back, back + comment.quote.length);
    return { ...comment, ...where, isGone: undefined };
  }
  const from = lineAt(text, at.start);
  return { ...comment, from, to: from, isGone: true };
}

/** A new line before or behind is written on the commented line first: it is not what was meant. */
function withoutNeighbours(text: string, { start, end }: Span, origin = '') {
  const all = lines(text, start, Math.max(start, end));
  const covered = linesOf(text, all.from, all.to);
  const at = covered.length > origin.length ? wholeLinesAt(covered, origin) : undefined;
  if (at === undefined) return all;
  const first = spanOf(text, { from: all.from, to: all.from }).start;
  return lines(text, first + at, first + at + origin.length);
}

function lines(text: string, start: number, end: number): { from: number; to: number } {
  const from = lineAt(text, start);
  return { from, to: Math.max(from, lineAt(text, end)) };
}

/** Where the lines stand again, if they do so in one place only. */
function wholeLinesAt(text: string, quote: string): number | undefined {
  if (quote.trim() === '') return undefined;
  const at = text.indexOf(quote);
  if (at === -1 || text.includes(quote, at + 1)) return undefined;
  const after = text[at + quote.length];
  const isWhole =
    (at === 0 || text[at - 1] === '\n') && (after === undefined || /[\r\n]/.test(after));
  return isWhole ? at : undefined;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return at;
    at = newline + 1;
  }
  return at;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

import type MarkdownIt from 'markdown-it';
import type { StateBlock, StateInline } from 'markdown-it';

/** Ways in which models write formulas, the longer opening first. */
const DELIMITERS: readonly (readonly [open: string, close: string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  [String.raw`\(`, String.raw`\)`],
  [String.raw`\[`, String.raw`\]`],
];

/** A longer one is none: each sign that opens one is looked at for so far. */
const LONGEST = 2_000;

/**
 * Keeps formulas as they are written. Nothing draws them here, and markdown would take their
 * backslashes and read their stars and brackets as its own.
 */
export function keepMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', (state, silent) => {
    const end = mathEnd(state);
    if (end === undefined) return false;
    if (!silent) pushLines(state, state.src.slice(state.pos, end));
    state.pos = end;
    return true;
  });
  markdown.block.ruler.before('fence', 'math', mathBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  markdown.renderer.rules.math = (tokens, index) => {
    const lines = (tokens[index]?.content ?? '').split('\n');
    return `<p dir="auto">${lines.map(markdown.utils.escapeHtml).join('<br>\n')}</p>\n`;
  };
}

/** In a line of its own each begins a formula of several lines. */
const BLOCKS = new Map([
  ['$$', '$$'],
  [String.raw`\[`, String.raw`\]`],
]);

/**
 * A formula of several lines, of which none is the item of a list or a heading, whatever it begins
 * with. One that is not closed ends at the next empty line: while it still comes it is not read otherwise.
 */
function mathBlock(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const lineAt = (line: number): string =>
    state.src.slice(state.bMarks[line], state.eMarks[line]).slice(state.tShift[line]);
  const close = BLOCKS.get(lineAt(start).trim());
  if (close === undefined || (state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
  if (silent) return true;
  const isInside = (line: number): boolean =>
    line < end && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent;
  let next = start + 1;
  for (let isOpen = true; isOpen && isInside(next); next += 1) {
    isOpen = !lineAt(next).includes(close);
  }
  const token = state.push('math', '', 0);
  token.content = state.getLines(start, next, state.blkIndent, false).trimEnd();
  token.map = [start, next];
  state.line = next;
  return true;
}

/** Where the formula that begins here ends; undefined where none does. */
function mathEnd({ src, pos, posMax }: StateInline): number | undefined {
  const sign = src[pos];
  if (sign !== '$' && sign !== '\\') return undefined;
  const found = DELIMITERS.find(([open]) => src.startsWith(open, pos));
  if (found === undefined) return undefined;
  const [open, close] = found;
  const from = pos + open.length;
  const text = src.slice(from, Math.min(posMax, from + LONGEST));
  const length = text.indexOf(close);
  if (length < 1) return undefined;
  const formula = text.slice(0, length);
  if (formula.includes('`')) return undefined;
  // Money and variables: `$5 and $6`, `$5-$6`, `**$HOME** and **$PATH**`.
  const isOther =
    open === '$' && (/^\s|\s$/u.test(formula) || /^[\p{L}\p{N}_]/u.test(text.slice(length + 1)));
  return isOther ? undefined : from + length + close.length;
}

/** Text that is on several lines stays on them. */
function pushLines(state: StateInline, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) state.push('softbreak', 'br', 0);
    const token = state.push('text', '', 0);
    token.content = line;
  }
}

import type MarkdownIt from 'markdown-it';
import type { StateInline } from 'markdown-it';

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
  // Money: `$5 and $6`, `$5-$6`.
  const isMoney = open === '$' && (/^\s|\s$/u.test(formula) || /^\d/u.test(text.slice(length + 1)));
  return isMoney ? undefined : from + length + close.length;
}

/** Text that is on several lines stays on them. */
function pushLines(state: StateInline, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) state.push('softbreak', 'br', 0);
    const token = state.push('text', '', 0);
    token.content = line;
  }
}

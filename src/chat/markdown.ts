import { type LongCode, LongCodes } from './longCodeProtocol';
import { markdownParser } from './markdownParser';

/**
 * Markdown as HTML text: no HTML of the author's, no style attribute, no image. It is safe by
 * construction; the webview sanitises it once more and adds what acts: buttons, boxes that scroll.
 *
 * Links have `href` (see `linkTarget`) and the address as written in `data-href`; the webview takes
 * every click and the host decides. Schemes that are not of the web or a file make no link. An
 * image is a link of class `image-link`. Blocks have `dir="auto"`, code `dir="ltr"`; table cells
 * are aligned by the classes `align-left`, `align-center`, `align-right`.
 */
export function renderMarkdown(text: string): string {
  return markdownParser().render(text);
}

/** The same for a view, which gets of very long code its beginning, and all of it beside. */
export function renderForView(text: string): {
  readonly html: string;
  readonly cuts: readonly LongCode[];
} {
  const codes = new LongCodes();
  return { html: markdownParser().render(text, codes), cuts: codes.found };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * The words that a view draws of it, as they stand in its nodes. Read from the HTML, which is ours: to
 * have a page made of it takes five times as long, and Find does this for all of a conversation.
 */
export function plainWords(text: string): string {
  const { html } = renderForView(text);
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (all, name: string) => ENTITIES[name] ?? all);
}

/**
 * Cuts a text into its top-level blocks. Joined they are the text, and rendered one by one they
 * give what the whole gives. Text that is appended changes the last block only, so that a view can
 * leave all others alone while text streams in.
 */
export function splitBlocks(text: string): string[] {
  if (text === '') return [];
  // Nothing in it can be a block of its own, and a long one would be read anew with each part.
  if (isOpenFence(text)) return [text];
  const { starts, definesLinks } = blockStarts(text);
  if (definesLinks) return [text];
  const blocks = cutAtLines(
    text,
    starts.map(({ line }) => line),
  );
  const last = blocks.at(-1) ?? '';
  const before = blocks.at(-2);
  const isTable = starts.at(-1)?.type === 'table_open';
  if (before === undefined || !mayJoin(before, last, isTable)) return blocks;
  return [...blocks.slice(0, -2), before + last];
}

/** All of the text is a fence that is not closed yet. */
function isOpenFence(text: string): boolean {
  const [, fence = ''] = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,}(?=.*\n))/u.exec(text) ?? [];
  if (fence === '') return false;
  const close = new RegExp(`\\n {0,3}${fence}`, 'u');
  return !close.test(text);
}

/**
 * Texts one behind the other. A fence that nobody has closed, as in an answer that was stopped, would take
 * in all that follows.
 */
export function joinMarkdown(texts: readonly string[]): string {
  const last = texts.length - 1;
  return texts.map((text, at) => (at === last ? text : withClosedFence(text))).join('\n\n');
}

function withClosedFence(text: string): string {
  if (!/^ {0,3}(?:`{3}|~{3})/m.test(text)) return text;
  const { type, map, markup } = topTokens(text).tokens.at(-1) ?? {};
  if (type !== 'fence' || !map || markup === undefined) return text;
  const close = new RegExp(`^ {0,3}${markup}+[ \\t]*$`, 'u');
  const behind = text.split(LINE_END).slice(map[0] + 1);
  if (behind.some((line) => close.test(line))) return text;
  return `${text.replace(/(?:\r\n?|\n)$/, '')}\n${markup}`;
}

/** A definition gives links to other blocks: such a text is drawn as a whole. */
export function hasDefinition(text: string): boolean {
  return MAY_DEFINE.test(text) && blockStarts(text).definesLinks;
}

/** `[name]: target`, also inside quotes and lists. In code, such as `[key: string]:`, it defines nothing. */
const MAY_DEFINE = /^[ \t>\d.)*+-]*\[[^\]\n]+\]:/m;

interface BlockStarts {
  readonly starts: readonly { readonly line: number; readonly type: string }[];
  readonly definesLinks: boolean;
}

/** The lines at which top-level blocks begin. Without the inline parser: it is not needed here. */
function blockStarts(text: string): BlockStarts {
  const { tokens, env } = topTokens(text);
  const starts = tokens.flatMap((token) =>
    token.level === 0 && token.nesting !== -1 && token.map
      ? [{ line: token.map[0], type: token.type }]
      : [],
  );
  return { starts, definesLinks: 'references' in env };
}

function topTokens(text: string) {
  const markdown = markdownParser();
  const source = text.replace(LINE_END, '\n').replaceAll('\0', '\uFFFD');
  const { tokens } = new markdown.core.State(source, markdown, {});
  // The parser puts definitions there, under `references`.
  const env = {};
  markdown.block.parse(source, markdown, env, tokens);
  return { tokens, env };
}

/** The line ends that the parser knows. */
const LINE_END = /\r\n?|\n/g;

function cutAtLines(text: string, starts: readonly number[]): string[] {
  const wanted = new Set(starts.slice(1));
  if (wanted.size === 0) return [text];
  const blocks: string[] = [];
  let from = 0;
  let line = 0;
  for (const match of text.matchAll(LINE_END)) {
    line += 1;
    if (!wanted.has(line)) continue;
    const to = match.index + match[0].length;
    blocks.push(text.slice(from, to));
    from = to;
  }
  blocks.push(text.slice(from));
  return blocks;
}

/** In quotations and lists too. */
const OPEN_RULE = /^[ \t>]*(?:-+|=+)[ \t]*$/;

/**
 * What of a block that is still written can be drawn. Its last line may be all but the letters of the
 * next item: `-` alone would make the words above it a heading until they come.
 */
export function withoutOpenRule(block: string): string {
  const end = Math.max(block.lastIndexOf('\n'), block.lastIndexOf('\r'));
  return end !== -1 && OPEN_RULE.test(block.slice(end + 1)) ? block.slice(0, end) : block;
}

/** A rule that one more letter makes an item of a list. */
const RULE_OR_ITEM = /^[ \t]*[*-][ \t][*\- \t]*$/;

/**
 * Whether the last block, whose last line is still being written, may turn out to belong to the
 * one before it: `#` under a paragraph becomes `#tag`, a delimiter row becomes text, and after a
 * list `2` becomes its next number and `* **`, which is a rule so far, its next item.
 */
function mayJoin(before: string, last: string, isTable: boolean): boolean {
  const lines = last.split(LINE_END);
  // A table's second line makes it one; every other block shows what it is in its first.
  if (lines.length > (isTable ? 2 : 1) || lines.at(-1) === '') return false;
  const isApart = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n?|\n)$/.test(before);
  // What was a block of its own before the second line came is one after it, whatever that makes.
  if (lines.length > 1)
    return !isApart && blockStarts(before + (lines[0] ?? '')).starts.length === 1;
  if (!isApart) return true;
  if (RULE_OR_ITEM.test(last)) return blockStarts(`${before}${last}x`).starts.length === 1;
  return /^[ \t]*\d{1,9}$/.test(last);
}

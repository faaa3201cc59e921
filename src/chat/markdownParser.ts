import MarkdownIt, { type Options, type Renderer, type StateCore, type Token } from 'markdown-it';
import { LongCodes } from './longCodeProtocol';
import { linkKind, linkTarget } from './markdownLinks';
import { keepMath } from './markdownMath';
import { linkPlaces } from './markdownPlaces';

let instance: MarkdownIt | undefined;

/** The one markdown parser, made on first use: rendering and cutting into blocks must agree. */
export function markdownParser(): MarkdownIt {
  return (instance ??= createParser());
}

function createParser(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  // Without a scheme nearly every file name would be a link: `.rs`, `.md` and `.sh` are countries.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  boundAddresses(markdown.linkify);
  keepMath(markdown);
  markdown.validateLink = (href) => linkKind(href) !== 'refused';
  markdown.core.ruler.push('patchbay', (state: StateCore) => {
    for (const [index, token] of state.tokens.entries()) {
      prepareBlock(token);
      if (token.type === 'ordered_list_open') markLongNumbers(token, state.tokens.slice(index + 1));
      if (token.type === 'inline') token.children = linkPlaces(token.children ?? [], state);
    }
    markTasks(state.tokens);
  });
  Object.assign(markdown.renderer.rules, {
    fence: (tokens: Token[], index: number, _options: Options, env: unknown) =>
      codeBlock(tokens[index], env),
    code_block: (tokens: Token[], index: number, _options: Options, env: unknown) =>
      codeBlock(tokens[index], env),
    image: (tokens: Token[], index: number, options: Options, env: unknown, self: Renderer) =>
      imageAsLink(tokens[index], options, env, self),
  });
  return markdown;
}

/** A longer address is no link: from each place where one may begin its end is looked for so far. */
const LONGEST_ADDRESS = 4_000;

function boundAddresses(linkify: MarkdownIt['linkify']): void {
  const pretest = linkify.pretest.bind(linkify);
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.pretest = (text) =>
    pretest(text) && text.split(/\s/u).every(({ length }) => length <= LONGEST_ADDRESS);
  linkify.matchAtStart = (text) => {
    const found = matchAtStart(text.slice(0, LONGEST_ADDRESS));
    return found && found.lastIndex < LONGEST_ADDRESS ? found : null;
  };
}

const DIRECTED = new Set([
  'paragraph_open',
  'heading_open',
  'list_item_open',
  'blockquote_open',
  'th_open',
  'td_open',
]);

function prepareBlock(token: Token): void {
  if (DIRECTED.has(token.type)) token.attrSet('dir', 'auto');
  if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token);
  if (token.type === 'inline') prepareInline(token.children ?? []);
}

/** The content security policy allows no style attribute. */
function alignByClass(token: Token): void {
  const side = /text-align:(left|center|right)/.exec(token.attrGet('style') ?? '')?.[1];
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  if (side !== undefined) token.attrSet('class', `align-${side}`);
}

function prepareInline(children: readonly Token[]): void {
  let insideLink = 0;
  for (const token of children) {
    if (token.type === 'link_open') {
      insideLink += 1;
      const href = token.attrGet('href') ?? '';
      token.attrSet('href', linkTarget(href));
      token.attrSet('data-href', href);
    } else if (token.type === 'link_close') {
      insideLink -= 1;
    } else if (token.type === 'image') {
      token.meta = { insideLink: insideLink > 0 };
    }
  }
}

/** Numbers of four digits, such as a year that begins a line, have no room outside of the list. */
function markLongNumbers(open: Token, behind: readonly Token[]): void {
  const start = Number(open.attrGet('start') ?? 1);
  const end = behind.findIndex(
    ({ type, level }) => type === 'ordered_list_close' && level === open.level,
  );
  const items = behind
    .slice(0, end)
    .filter(({ type, level }) => type === 'list_item_open' && level === open.level + 1);
  if (start + items.length > 1000) open.attrSet('class', 'long-numbers');
}

/** `- [ ] x` and `- [x] y`. */
function markTasks(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline' || tokens[index - 2]?.type !== 'list_item_open') continue;
    const first = token.children?.[0];
    if (first?.type !== 'text') continue;
    first.content = first.content.replace(/^\[([ xX])\] /, (_all, mark: string) =>
      mark === ' ' ? '☐ ' : '☑ ',
    );
  }
}

/** Nothing remote is loaded: an image is a link that says what it shows. */
function imageAsLink(
  token: Token | undefined,
  options: Options,
  env: unknown,
  self: Renderer,
): string {
  if (!token) return '';
  const { escapeHtml } = markdownParser().utils;
  const source = token.attrGet('src') ?? '';
  const alt = self.renderInlineAsText(token.children ?? [], options, env);
  const words = escapeHtml(alt === '' ? source : alt);
  // A link inside a link is none.
  if (isInsideLink(token.meta)) return words;
  const href = escapeHtml(linkTarget(source));
  const title = token.attrGet('title');
  const shown = title === null ? '' : ` title="${escapeHtml(title)}"`;
  return `<a class="image-link" href="${href}" data-href="${escapeHtml(source)}"${shown}>${words}</a>`;
}

function isInsideLink(meta: unknown): boolean {
  return (
    typeof meta === 'object' && meta !== null && 'insideLink' in meta && meta.insideLink === true
  );
}

/** @param env of who draws: {@link LongCodes} takes what is too long for that */
function codeBlock(token: Token | undefined, env: unknown): string {
  if (!token) return '';
  const drawn = env instanceof LongCodes ? env.cut(token.content) : undefined;
  const { escapeHtml } = markdownParser().utils;
  const language = /^[\w+#.-]{1,30}/.exec(token.info.trim())?.[0];
  const name = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`;
  const mark = drawn === undefined ? '' : ' class="cut-code"';
  return `<pre dir="ltr"${mark}><code${name}>${escapeHtml(drawn ?? token.content)}</code></pre>\n`;
}

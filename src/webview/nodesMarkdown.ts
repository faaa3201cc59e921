import { plainWords } from '../chat/markdown';
import { wholeCode } from './cutCode';

/**
 * Drawn markdown as markdown again, of any part of it that is selected. The drawn nodes are the
 * source, since a selection has no place in the text that they were made from.
 */
export function nodesMarkdown(range: Range): string {
  const { commonAncestorContainer: inside } = range;
  const element = inside instanceof Element ? inside : inside.parentElement;
  // A part of code, or of what the person typed, is what it says: no fence, no marks.
  if (element?.closest('pre, .user-text')) return range.toString();
  const nodes = element ? inShell(range, element) : range.cloneContents();
  if (element) keepWhole(range, element, nodes);
  return blocks(nodes);
}

/** By the copy of a code that is drawn in part: all of it. */
const wholes = new WeakMap<Node, string>();

/** Of long code its beginning is drawn; whoever selects across it means the code. */
function keepWhole(range: Range, element: Element, copied: ParentNode): void {
  const copies = copied.querySelectorAll('pre.cut-code');
  if (copies.length === 0) return;
  const cut = [...element.querySelectorAll('pre.cut-code')].filter((pre) =>
    range.intersectsNode(pre),
  );
  for (const [at, pre] of cut.entries()) {
    const box = pre.closest('.md-code');
    const copy = copies[at];
    const isAcross = copy?.textContent === pre.textContent;
    const code = isAcross && box ? wholeCode(box) : undefined;
    if (copy && code !== undefined) wholes.set(copy, code);
  }
}

/** Items and rows without the list or table that they are of say too little. */
const SHELLS = 'ul, ol, table, thead, tbody, tr';

function inShell(range: Range, element: Element): DocumentFragment {
  let nodes = range.cloneContents();
  for (
    let parent: Element | null = element;
    parent?.matches(SHELLS);
    parent = parent.tagName === 'TABLE' ? null : parent.parentElement
  ) {
    const shell = parent.cloneNode(false);
    if (shell instanceof HTMLOListElement) shell.start += firstItem(range, parent);
    shell.appendChild(nodes);
    nodes = document.createDocumentFragment();
    nodes.appendChild(shell);
  }
  return nodes;
}

function firstItem(range: Range, list: Element): number {
  return Math.max(
    0,
    [...list.children].findIndex((child) => range.intersectsNode(child)),
  );
}

/** Not of what was said: headings for the ear, buttons, rows of work. */
const LEFT_OUT =
  '.sr-only, .article-actions, .md-code-actions, .md-code-more, .tool, .thinking, .expansion';
const BLOCKS = new Set([
  ...['P', 'DIV', 'UL', 'OL', 'PRE', 'BLOCKQUOTE', 'TABLE', 'HR', 'ARTICLE', 'LI'],
  ...['H1', 'H2', 'H3', 'H4', 'H5', 'H6'],
]);

const BOXES = `:is(div, article):not(.user-text, ${LEFT_OUT})`;

interface Part {
  readonly text: string;
  /** Of a list its tag. */
  readonly list?: string;
  /** It has other marks than the list above it, since it would go on with that. */
  readonly isOther?: boolean;
  /** It may stand right under words, as no other block may. */
  readonly isClose?: boolean;
}

/** Blocks stand apart by an empty line. */
function blocks(parent: Node): string {
  return partsOf(parent)
    .map(({ text }) => text)
    .join('\n\n');
}

/** What is no block joins what stands beside it. Boxes are seen through: lists in two of them may meet. */
function partsOf(parent: Node, parts: Part[] = []): readonly Part[] {
  let line = '';
  const endLine = (): void => {
    const text = line.replace(/\n\s+/g, '\n').trim();
    if (text !== '') parts.push({ text: isItem(parent) ? plainLines(text) : text });
    line = '';
  };
  for (const node of parent.childNodes) {
    if (node instanceof Element && BLOCKS.has(node.tagName)) {
      endLine();
      if (node.matches(BOXES)) {
        partsOf(node, parts);
        continue;
      }
      const part = node.matches('ul, ol') ? listPart(node, parts.at(-1)) : { text: block(node) };
      if (part.text.trim() !== '') parts.push(part);
    } else {
      line += inline(node);
    }
  }
  endLine();
  return parts;
}

function isItem(node: Node): boolean {
  return node instanceof Element && node.tagName === 'LI';
}

function listPart(element: Element, before: Part | undefined): Part {
  const { tagName } = element;
  const isOther = before?.list === tagName && before.isOther !== true;
  const isClose = tagName === 'UL' || startOf(element) === 1;
  return { text: list(element, isOther), list: tagName, isOther, isClose };
}

function startOf(list: Element): number {
  return Number(list.getAttribute('start') ?? 1);
}

function block(element: Element): string {
  if (element.matches(LEFT_OUT)) return '';
  const { tagName } = element;
  switch (tagName) {
    case 'P':
      return plainLines(lines(element));
    case 'PRE':
      return fence(element);
    // A selection that begins in an item has the item without its list.
    case 'LI':
      return item(element, '- ');
    case 'BLOCKQUOTE':
      return indent(blocks(element), '> ', '> ');
    case 'TABLE':
      return table(element);
    case 'HR':
      return '---';
    default:
      if (/^H\d$/.test(tagName)) return heading(element);
      return element.matches('.user-text') ? element.textContent : blocks(element);
  }
}

const BEGINNINGS =
  /^(?:#{1,6}(?=\s)|[-+*](?=\s)|>|-+$|(?<=\n)=+$|[*_]{3,}$|`{3,}(?=[^`\n]*$)|~{3})/gm;
/** A formula of several lines is no markdown. */
const FORMULA = /^(?:\$\$|\\\[)\n/;

/** Lines that begin as a heading, an item, a quotation, a rule or code does are none. */
function plainLines(text: string): string {
  if (FORMULA.test(text)) return text;
  return text.replace(BEGINNINGS, '\\$&').replace(/^(\d{1,9})([.)]\s)/gm, '$1\\$2');
}

/** Of the level as it was written: it is drawn one or two lower, since the turn's own stands above. */
function heading(element: Element): string {
  const level = Number(element.getAttribute('data-level') ?? element.tagName.slice(1));
  return `${'#'.repeat(level)} ${lines(element).replaceAll('\n', ' ')}`;
}

function fence(pre: Element): string {
  const code = (wholes.get(pre) ?? pre.textContent).replace(/\n$/, '');
  const language = /(?:^|\s)language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1];
  const marks = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${marks}${language ?? ''}\n${code}\n${marks}`;
}

function list(element: Element, isOther: boolean): string {
  const start = startOf(element);
  const [bullet, sign] = isOther ? ['* ', ') '] : ['- ', '. '];
  const items = [...element.children].filter(({ tagName }) => tagName === 'LI');
  return items
    .map((one, index) => item(one, element.tagName === 'OL' ? `${start + index}${sign}` : bullet))
    .join('\n');
}

function item(element: Element, mark: string): string {
  // Items stand close: of a loose list too, which reads the same.
  const text = partsOf(element)
    .map((part, at) => (at === 0 ? '' : part.isClose === true ? '\n' : '\n\n') + part.text)
    .join('');
  const task = text.replace(/^☐ /, '[ ] ').replace(/^☑ /, '[x] ');
  return indent(task, mark, ' '.repeat(mark.length));
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => {
      const mark = index === 0 ? first : others;
      // Blanks at the end of a line may be of code.
      return line === '' ? mark.trimEnd() : mark + line;
    })
    .join('\n');
}

function table(element: Element): string {
  const rows = [...element.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => inlines(cell).trim().replaceAll('|', '\\|')),
  );
  const [head = [], ...rest] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const sides = [...(element.querySelector('tr')?.children ?? [])].map(sideOf);
  return [line(head), line(sides), ...rest.map(line)].join('\n');
}

/** On which side the cells of a column stand. */
function sideOf(cell: Element): string {
  if (cell.matches('.align-left')) return ':--';
  if (cell.matches('.align-center')) return ':-:';
  return cell.matches('.align-right') ? '--:' : '---';
}

/** Behind a forced break stands the line's own end as well. */
function lines(element: Element): string {
  return inlines(element).replace(/\n\s+/g, '\n').trim();
}

function inlines(parent: Node): string {
  return [...parent.childNodes].map(inline).join('');
}

function inline(node: Node): string {
  if (!(node instanceof Element)) return plainText(node.nodeValue ?? '');
  if (node.matches(LEFT_OUT)) return '';
  switch (node.tagName) {
    case 'BR':
      return '\n';
    case 'CODE':
      return codeSpan(node.textContent);
    case 'STRONG':
      return marked(node, '**');
    case 'EM':
      return marked(node, '*');
    case 'S':
    case 'DEL':
      return marked(node, '~~');
    case 'A':
      return link(node);
    default:
      return inlines(node);
  }
}

/** Signs that mean something would be taken for that: only where the words were not the same again. */
function plainText(text: string): string {
  if (!/[*_`~[&<\\]/.test(text)) return text;
  const line = `x ${text.trim()}`;
  return plainWords(line).trimEnd() === line ? text : text.replace(/[*_`~[&<\\]/g, '\\$&');
}

/** Of a part that is selected the blanks at its ends stay outside of the marks. */
function marked(node: Element, mark: string): string {
  return inlines(node).replace(/^(\s*)(\S(?:[^]*\S)?)(\s*)$/, `$1${mark}$2${mark}$3`);
}

function link(node: Element): string {
  if (node.matches('.place-link')) return inlines(node);
  const href = node.getAttribute('data-href') ?? node.getAttribute('href') ?? '';
  // An address is one as it stands.
  const text = node.textContent === href ? href : inlines(node);
  const title = node.getAttribute('title');
  const target = `(${targetOf(href)}${title === null ? '' : ` "${title.replace(/["\\]/g, '\\$&')}"`})`;
  // A picture without words is drawn as its address.
  if (node.matches('.image-link')) return `![${text === href ? '' : inBrackets(text)}]${target}`;
  if (href === '' || (href === text && title === null)) return text;
  return `[${inBrackets(text)}]${target}`;
}

/** Its brackets would end it, unless they come in pairs. */
function inBrackets(text: string): string {
  return isPaired(text, '[', ']') ? text : text.replace(/[[\]]/g, '\\$&');
}

function targetOf(href: string): string {
  return /[\s<>]/.test(href) || isPaired(href, '(', ')') ? href : `<${href}>`;
}

function isPaired(text: string, open: string, close: string): boolean {
  let depth = 0;
  for (const sign of text) {
    depth += sign === open ? 1 : sign === close ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function codeSpan(code: string): string {
  const run = longestRun(code);
  const marks = '`'.repeat(run === 0 ? 1 : run + 1);
  const space = run > 0 || /^ | $/.test(code) ? ' ' : '';
  return `${marks}${space}${code}${space}${marks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

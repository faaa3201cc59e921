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

interface Part {
  readonly text: string;
  readonly isList: boolean;
}

/** Blocks stand apart by an empty line. */
function blocks(parent: Node): string {
  return partsOf(parent)
    .map(({ text }) => text)
    .join('\n\n');
}

/** What is no block joins what stands beside it. */
function partsOf(parent: Node): readonly Part[] {
  const parts: Part[] = [];
  let line = '';
  const endLine = (): void => {
    const text = line.replace(/\n\s+/g, '\n').trim();
    if (text !== '') parts.push({ text, isList: false });
    line = '';
  };
  for (const node of parent.childNodes) {
    if (node instanceof Element && BLOCKS.has(node.tagName)) {
      endLine();
      const text = block(node);
      if (text.trim() !== '') parts.push({ text, isList: node.matches('ul, ol') });
    } else {
      line += inline(node);
    }
  }
  endLine();
  return parts;
}

function block(element: Element): string {
  if (element.matches(LEFT_OUT)) return '';
  const { tagName } = element;
  switch (tagName) {
    case 'P':
      return paragraph(element);
    case 'PRE':
      return fence(element);
    case 'UL':
    case 'OL':
      return list(element);
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

/** Words that begin as a heading, an item or a quotation does are none. */
function paragraph(element: Element): string {
  return lines(element)
    .replace(/^(?:#{1,6}(?=\s)|[-+*](?=\s)|>)/, '\\$&')
    .replace(/^(\d{1,9})([.)]\s)/, '$1\\$2');
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

function list(element: Element): string {
  const start = Number(element.getAttribute('start') ?? 1);
  const items = [...element.children].filter(({ tagName }) => tagName === 'LI');
  return items
    .map((one, index) => item(one, element.tagName === 'OL' ? `${start + index}. ` : '- '))
    .join('\n');
}

function item(element: Element, mark: string): string {
  // Items stand close: of a loose list too, which reads the same.
  const text = partsOf(element)
    .map((part, at) => (at === 0 ? '' : part.isList ? '\n' : '\n\n') + part.text)
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
  if (!(node instanceof Element)) return node.nodeValue ?? '';
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

function marked(node: Element, mark: string): string {
  const text = inlines(node);
  return text.trim() === '' ? text : `${mark}${text}${mark}`;
}

function link(node: Element): string {
  const text = inlines(node);
  if (node.matches('.place-link')) return text;
  const href = node.getAttribute('data-href') ?? node.getAttribute('href') ?? '';
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

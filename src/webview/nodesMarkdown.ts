/**
 * Drawn markdown as markdown again, of any part of it that is selected. The drawn nodes are the
 * source, since a selection has no place in the text that they were made from.
 */
export function nodesMarkdown(range: Range): string {
  const { commonAncestorContainer: inside } = range;
  const element = inside instanceof Element ? inside : inside.parentElement;
  // A part of code, or of what the person typed, is what it says: no fence, no marks.
  if (element?.closest('pre, .user-text')) return range.toString();
  return blocks(element ? inShell(range, element) : range.cloneContents());
}

/** Items and rows without the list or table that they are of say too little. */
const SHELLS = 'ul, ol, table, thead, tbody, tr';

function inShell(range: Range, element: Element): Node {
  let nodes: Node = range.cloneContents();
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
      return lines(element);
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
      if (/^H\d$/.test(tagName)) return `${'#'.repeat(headingLevel(element))} ${inlines(element)}`;
      return element.matches('.user-text') ? element.textContent : blocks(element);
  }
}

/** The turn's own heading stands above, so that a heading is drawn one or two levels lower. */
function headingLevel({ tagName }: Element): number {
  return Math.max(1, Number(tagName.slice(1)) - 1);
}

function fence(pre: Element): string {
  const code = pre.textContent.replace(/\n$/, '');
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
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
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
  return href === '' || href === text ? text : `[${text}](${href})`;
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

import * as l10n from '@vscode/l10n';
import DOMPurify, { type Config } from 'dompurify';

const TAGS = [
  ...['p', 'br', 'hr', 'ul', 'ol', 'li', 'pre', 'code', 'blockquote', 'em', 'strong', 's', 'del'],
  ...['a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['span', 'div', 'sup', 'sub', 'kbd'],
];
const ATTRIBUTES = ['href', 'data-href', 'title', 'class', 'dir', 'start', 'colspan'];

/** The turn's own heading is an h2, so the model's headings start below it. */
const HEADINGS: Readonly<Record<string, string>> = {
  H1: 'h3',
  H2: 'h3',
  H3: 'h4',
  H4: 'h5',
  H5: 'h6',
};

/** One object for all calls: the sanitiser reads a configuration that it does not know. */
const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|#|\.{0,2}\/|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i,
  RETURN_DOM_FRAGMENT: true,
} as const satisfies Config;

/**
 * Rendered markdown as nodes that can do nothing: no script, no style, no image, no form, no
 * address of a scheme that acts. A second wall behind a renderer that lets no HTML through.
 */
export function toSafeNodes(html: string): DocumentFragment {
  return withControls(DOMPurify.sanitize(html, CONFIG));
}

/** The same for several texts in a fifth of the time: the sanitiser makes a document for each call. */
export function toSafeNodesOfEach(htmls: readonly string[]): readonly DocumentFragment[] {
  if (htmls.length > 1) {
    const all = DOMPurify.sanitize(htmls.map((html) => `<div>${html}</div>`).join(''), CONFIG);
    const boxes = [...all.childNodes];
    // One that ended its box itself would come into another's.
    if (boxes.length === htmls.length) return boxes.map((box) => withControls(contentOf(box)));
  }
  return htmls.map(toSafeNodes);
}

function contentOf(box: Node): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...box.childNodes);
  return fragment;
}

function withControls(fragment: DocumentFragment): DocumentFragment {
  for (const node of fragment.querySelectorAll('h1,h2,h3,h4,h5')) lower(node);
  for (const node of fragment.querySelectorAll('pre')) wrapCode(node);
  for (const node of fragment.querySelectorAll('table')) wrapTable(node);
  for (const node of fragment.children) directBlock(node);
  return fragment;
}

function lower(node: Element): void {
  const heading = document.createElement(HEADINGS[node.tagName] ?? 'h6');
  // For who copies it: as it was written.
  heading.dataset.level = node.tagName.slice(1);
  heading.replaceChildren(...node.childNodes);
  node.replaceWith(heading);
}

/** What the buttons of a block of code do; the panel's click handler knows them by their class. */
const CODE_BUTTONS = [
  { action: 'wrap', icon: 'word-wrap', name: () => l10n.t('Wrap lines') },
  { action: 'insert', icon: 'insert', name: () => l10n.t('Insert at the cursor') },
  { action: 'newFile', icon: 'new-file', name: () => l10n.t('Open as a new file') },
  { action: 'copy', icon: 'copy', name: () => l10n.t('Copy code') },
] as const;
export type CodeAction = (typeof CODE_BUTTONS)[number]['action'];

/** Code scrolls in its own box, with buttons over it. */
function wrapCode(pre: HTMLPreElement): void {
  const box = document.createElement('div');
  box.className = 'md-code';
  box.dir = 'ltr';
  const bar = document.createElement('div');
  bar.className = 'md-code-actions';
  for (const { action, icon, name } of CODE_BUTTONS) {
    bar.append(codeButton(`md-code-action md-code-${action}`, icon, name()));
  }
  pre.replaceWith(box);
  makeStop(pre, l10n.t('Code'));
  box.append(pre, bar);
}

function codeButton(classes: string, iconName: string, name: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon-button ${classes}`;
  button.title = name;
  button.setAttribute('aria-label', name);
  const icon = document.createElement('span');
  icon.className = `codicon codicon-${iconName}`;
  icon.ariaHidden = 'true';
  button.append(icon);
  return button;
}

/** Which button of a block of code was pressed; undefined for another place. */
export function codeActionOf(target: Element): { action: CodeAction; box: Element } | undefined {
  const button = target.closest('.md-code-action');
  const box = button?.closest('.md-code');
  const found = CODE_BUTTONS.find(({ action }) => button?.classList.contains(`md-code-${action}`));
  return box && found ? { action: found.action, box } : undefined;
}

function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'md-table';
  makeStop(box, l10n.t('Table'));
  table.replaceWith(box);
  box.append(table);
}

/** What scrolls is reached by Tab, and then must say what it is. */
function makeStop(element: HTMLElement, name: string): void {
  element.tabIndex = 0;
  element.role = 'group';
  element.ariaLabel = name;
}

function directBlock(node: Element): void {
  if (!node.hasAttribute('dir')) node.setAttribute('dir', 'auto');
}

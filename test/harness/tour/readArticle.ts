import type { Locator } from 'playwright-core';

/** A part of an article, in the order in which it is seen. */
export type ArticlePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `index` counts the tool calls of this article. */
  | { readonly kind: 'tool'; readonly index: number };

/** What the walk needs of the page's nodes: this module is checked without the DOM library. */
interface PageNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
}
interface PageElement extends PageNode {
  readonly id: string;
  readonly innerText: string;
  readonly hidden: boolean;
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  querySelector(selector: string): unknown;
}

/** Selects the tool calls of an article: groups with a folding button. */
export const TOOL_GROUP = '[role="group"]:has([aria-expanded])';

/** Reads an article's words and the places of its tool calls; headings and buttons are not words. */
export function readArticle(article: Locator): Promise<readonly ArticlePart[]> {
  // Runs inside the page, so everything it uses must stand in it.
  return article.evaluate((element: unknown, toolGroup: string) => {
    const parts: ArticlePart[] = [];
    let tools = 0;
    let words: string[] = [];
    const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
    const add = (text: string): void => {
      if (text.trim() !== '') words.push(text.trim());
    };
    const flush = (): void => {
      if (words.length > 0) parts.push({ kind: 'text', text: words.join('\n\n') });
      words = [];
    };
    // A parse boundary: the locator found an element, and this is what the walk needs of it.
    const root = element as PageElement;
    const isSilent = (each: PageElement): boolean =>
      each.hidden ||
      each.id === (root.getAttribute('aria-labelledby') ?? '-') ||
      each.matches('button, [role="toolbar"], [aria-hidden="true"]');
    const walk = (node: PageNode): void => {
      if (!isElement(node)) {
        if (node.nodeType === 3) add(node.textContent ?? '');
      } else if (node.matches(toolGroup)) {
        flush();
        parts.push({ kind: 'tool', index: tools });
        tools += 1;
      } else if (!isSilent(node)) {
        if (node.querySelector('button, [role="group"]') === null) add(node.innerText);
        else for (const child of node.childNodes) walk(child);
      }
    };
    for (const child of root.childNodes) {
      walk(child);
      flush();
    }
    return parts;
  }, TOOL_GROUP);
}

import { type Locator } from 'playwright-core';

/** A part of an article, in the order in which it is seen. */
export type ArticlePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `index` counts the groups with a folding button inside this article. */
  | { readonly kind: 'tool'; readonly index: number };

/** What the walk needs of the page's nodes: this module is checked without the DOM library. */
interface PageNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
}
interface PageElement extends PageNode {
  readonly innerText: string;
  readonly hidden: boolean;
  matches(selector: string): boolean;
  querySelector(selector: string): unknown;
}

/** Selects the tool calls of an article. */
export const TOOL_GROUP = '[role="group"]:has([aria-expanded])';

/** Reads an article's words and the places of its tool calls; buttons are not words. */
export function readArticle(article: Locator): Promise<readonly ArticlePart[]> {
  // Runs inside the page, so everything it uses must stand in it.
  return article.evaluate((root: unknown, toolGroup: string) => {
    const parts: ArticlePart[] = [];
    let tools = 0;
    const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
    const add = (words: string): void => {
      const trimmed = words.trim();
      if (trimmed === '') return;
      const last = parts.at(-1);
      if (last?.kind !== 'text') parts.push({ kind: 'text', text: trimmed });
      else parts[parts.length - 1] = { kind: 'text', text: `${last.text}\n\n${trimmed}` };
    };
    const walk = (node: PageNode): void => {
      if (!isElement(node)) {
        if (node.nodeType === 3) add(node.textContent ?? '');
        return;
      }
      if (node.hidden || node.matches('button, [role="toolbar"], [aria-hidden="true"]')) return;
      if (node.matches(toolGroup)) {
        parts.push({ kind: 'tool', index: tools });
        tools += 1;
        return;
      }
      if (node.querySelector('button, [role="group"]') === null) add(node.innerText);
      else for (const child of node.childNodes) walk(child);
    };
    // A parse boundary: the locator found an element, and this is what the walk needs of it.
    for (const child of (root as PageElement).childNodes) walk(child);
    return parts;
  }, TOOL_GROUP);
}

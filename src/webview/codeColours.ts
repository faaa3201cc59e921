import type { CodeKind, FindCodeParts } from './highlighter/codeParts';

/** A longer code stays as it is: it is a file that was printed, and would hold up the panel. */
const LONGEST = 40_000;

/** Before the names of highlights that the style sheet gives colours. */
const PREFIX = 'code-';

/** The bundle beside this one; a sandbox may give another. */
type Load = () => Promise<{ readonly findCodeParts: FindCodeParts }>;

// Its own file, asked for with the first code whose language is named.
const loadBundle: Load = async () =>
  (await import(new URL('highlighter.js', import.meta.url).href)) as {
    readonly findCodeParts: FindCodeParts;
  };

/**
 * Colours code by ranges, without touching a node of it: what is selected stays so, what is copied is
 * what was written, and a theme's change needs nothing. One code a task, so that many do not hold up
 * the panel.
 */
export class CodeColours {
  readonly #load: Load;
  readonly #ranges = new Map<Element, readonly (readonly [Highlight, Range])[]>();
  readonly #waiting = new Set<Element>();
  #isRunning = false;

  constructor(load: Load = loadBundle) {
    this.#load = load;
  }

  /** Colours the finished codes below an element. */
  colour(root: Element): void {
    // What is drawn in part is such a file, too.
    for (const code of root.querySelectorAll('pre:not(.cut-code) > code[class]')) {
      this.#waiting.add(code);
    }
    void this.#run();
  }

  /** Lets go of all below an element that is drawn anew, or goes. */
  forget(root: Element): void {
    for (const code of root.querySelectorAll('pre > code[class]')) {
      this.#waiting.delete(code);
      for (const [highlight, range] of this.#ranges.get(code) ?? []) highlight.delete(range);
      this.#ranges.delete(code);
    }
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#waiting.size === 0) return;
    this.#isRunning = true;
    try {
      const { findCodeParts } = await this.#load();
      for (const code of this.#waiting) {
        this.#waiting.delete(code);
        if (code.isConnected) this.#colourOne(code, findCodeParts);
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch {
      // Without colours all is there; a build that lacks the file is found by its test.
      this.#waiting.clear();
    } finally {
      this.#isRunning = false;
    }
  }

  #colourOne(code: Element, findCodeParts: FindCodeParts): void {
    const [, language] = /(?:^| )language-(\S+)/u.exec(code.className) ?? [];
    const node = code.firstChild;
    if (language === undefined || !(node instanceof Text) || code.childNodes.length > 1) return;
    if (node.length > LONGEST || this.#ranges.has(code)) return;
    const parts = findCodeParts(node.data, language.toLowerCase());
    const ranges = parts.map(({ kind, from, to }) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      const highlight = highlightOf(kind);
      highlight.add(range);
      return [highlight, range] as const;
    });
    this.#ranges.set(code, ranges);
  }
}

function highlightOf(kind: CodeKind): Highlight {
  const name = PREFIX + kind;
  const known = CSS.highlights.get(name);
  if (known !== undefined) return known;
  const made = new Highlight();
  // Below the marks of what is searched for.
  made.priority = -1;
  CSS.highlights.set(name, made);
  return made;
}

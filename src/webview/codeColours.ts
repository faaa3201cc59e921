import type { CodeKind, Highlighter } from './highlighter/codeParts';
import { quietTime } from './quietTime';

/** A longer code stays as it is: it is a file that was printed, and would hold up the panel. */
const LONGEST = 40_000;

/** So long, in milliseconds, code waits for its colours while the panel is busy. */
const LATEST_MS = 1_000;

/** Before the names of highlights that the style sheet gives colours. */
const PREFIX = 'code-';

/** The bundle beside this one; a sandbox may give another. */
type Load = () => Promise<Highlighter>;

// Its own file, asked for with the first code whose language is named.
const loadBundle: Load = async () =>
  (await import(new URL('highlighter.js', import.meta.url).href)) as Highlighter;

/** How far from the view code has its colours, in CSS pixels. */
const NEAR = 800;

/**
 * Colours code by ranges, without touching a node of it: what is selected stays so, what is copied is
 * what was written, and a theme's change needs nothing. One code at a time and when there is nothing
 * else to do: the first of a language takes longer than a frame has. And only what is near the view:
 * the browser goes through all ranges in each frame.
 */
export class CodeColours {
  readonly #load: Load;
  readonly #ranges = new Map<Element, readonly (readonly [Highlight, StaticRange])[]>();
  readonly #waiting = new Set<Element>();
  readonly #near: IntersectionObserver;
  #isRunning = false;

  constructor(load: Load = loadBundle) {
    this.#load = load;
    // Of what scrolls, too; the library's types do not have it yet.
    const margins = { rootMargin: `${NEAR}px`, scrollMargin: `${NEAR}px` };
    this.#near = new IntersectionObserver((entries) => this.#moved(entries), {
      root: document,
      ...margins,
    });
  }

  /** Colours the finished codes below an element. */
  colour(root: Element): void {
    // What is drawn in part is such a file, too.
    for (const code of root.querySelectorAll('pre:not(.cut-code) > code[class]')) {
      this.#near.observe(code);
    }
  }

  /** Lets go of all below an element that is drawn anew, or goes. */
  forget(root: Element): void {
    for (const code of root.querySelectorAll('pre > code[class]')) {
      this.#near.unobserve(code);
      this.#hide(code);
      this.#ranges.delete(code);
    }
  }

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#waiting.add(target);
      else this.#hide(target);
    }
    void this.#run();
  }

  #hide(code: Element): void {
    this.#waiting.delete(code);
    for (const [highlight, range] of this.#ranges.get(code) ?? []) highlight.delete(range);
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#waiting.size === 0) return;
    this.#isRunning = true;
    try {
      await quietTime(performance.now() + LATEST_MS);
      const { prepareLanguage, findCodeParts } = await this.#load();
      for (const code of this.#waiting) {
        const latest = performance.now() + LATEST_MS;
        await prepareLanguage(languageOf(code), () => quietTime(latest));
        await quietTime(latest);
        if (this.#waiting.delete(code) && code.isConnected) this.#show(code, findCodeParts);
      }
    } catch {
      // Without colours all is there; a build that lacks the file is found by its test.
      this.#waiting.clear();
    } finally {
      this.#isRunning = false;
    }
  }

  #show(code: Element, findCodeParts: Highlighter['findCodeParts']): void {
    const known = this.#ranges.get(code) ?? rangesOf(code, findCodeParts);
    this.#ranges.set(code, known);
    for (const [highlight, range] of known) highlight.add(range);
  }
}

/** Empty where it is not named. */
function languageOf(code: Element): string {
  const [, language = ''] = /(?:^| )language-(\S+)/u.exec(code.className) ?? [];
  return language;
}

function rangesOf(
  code: Element,
  findCodeParts: Highlighter['findCodeParts'],
): readonly (readonly [Highlight, StaticRange])[] {
  const language = languageOf(code);
  const node = code.firstChild;
  if (language === '' || !(node instanceof Text) || code.childNodes.length > 1) return [];
  if (node.length > LONGEST) return [];
  return findCodeParts(node.data, language).map(({ kind, from, to }) => {
    // One that lives would be looked at with each change of the whole page.
    const range = new StaticRange({
      ...{ startContainer: node, startOffset: from, endContainer: node, endOffset: to },
    });
    return [highlightOf(kind), range] as const;
  });
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

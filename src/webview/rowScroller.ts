import { signal, type ReadonlySignal } from '@preact/signals';
import type { TranscriptItem } from '../chat/viewStateProtocol';
import { FOLLOWING, follow, isAtEnd, type FollowState, type ScrollBox } from './followScroll';
import { RowBook } from './rowBook';
import { isSameSpan, nextSpan, type Run, runsOf, type Span, spanAround } from './rowWindow';
import { driftOf, findAnchor, type ScrollAnchor } from './scrollAnchor';

/** About how wide a character is, in CSS pixels. */
const CHARACTER = 7;
/** Less than this is rounding: `scrollTop` keeps whole pixels of the screen. */
const ROUNDING = 0.5;

interface Parts {
  readonly scroller: HTMLElement;
  /** Holds a row for each drawn item, and the empty places between them. */
  readonly content: HTMLElement;
  /** Above the first row, in CSS pixels. */
  readonly padding: number;
}

/**
 * Draws the items around the view and no others, keeps the view at the end while the reader is there,
 * and otherwise what is read where it is, whatever changes its height above.
 */
export class RowScroller {
  readonly #book = new RowBook();
  readonly #version = signal(0);
  readonly #atEnd = signal(true);
  readonly #rows = new Map<string, HTMLElement>();
  #observer: ResizeObserver | undefined;
  #parts: Parts | undefined;
  #span: Span = { from: 0, to: 0 };
  #follow: FollowState = FOLLOWING;
  #anchor: ScrollAnchor | undefined;
  /** To be scrolled to: drawn whatever is in sight. */
  #target: string | undefined;
  #frame: number | undefined;

  /** Grows when other items are to be drawn. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  get atEnd(): ReadonlySignal<boolean> {
    return this.#atEnd;
  }

  /** @returns lets go of them */
  attach(scroller: HTMLElement, content: HTMLElement): () => void {
    const style = getComputedStyle(content);
    this.#book.gap = Number.parseFloat(style.rowGap) || 0;
    this.#parts = { scroller, content, padding: Number.parseFloat(style.paddingTop) || 0 };
    const observer = new ResizeObserver((entries) => this.#resized(entries));
    observer.observe(content);
    observer.observe(scroller);
    this.#observer = observer;
    const scrolled = () => this.#scrolled();
    scroller.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', scrolled);
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
      this.#rows.clear();
      this.#parts = undefined;
    };
  }

  /** What is to be drawn of these items now. */
  runs(items: readonly TranscriptItem[]): readonly Run[] {
    const width = this.#parts?.content.clientWidth ?? window.innerWidth;
    this.#book.sync(items, Math.max(20, Math.floor((width - 32) / CHARACTER)));
    return runsOf(this.#span, this.#kept(items), this.#book);
  }

  /** After each drawing: takes the heights of new rows, and puts what is read back to its place. */
  drawn(): void {
    const { content } = this.#parts ?? {};
    if (!content) return;
    const seen = new Set<string>();
    let isOther = false;
    for (const row of content.querySelectorAll<HTMLElement>(':scope > [data-row]')) {
      const id = row.dataset.row ?? '';
      seen.add(id);
      this.#tellPlace(row, id);
      if (this.#rows.get(id) === row) continue;
      isOther = true;
      this.#letGo(id);
      this.#rows.set(id, row);
      this.#observer?.observe(row);
      this.#book.measure(id, row.getBoundingClientRect().height);
    }
    for (const id of [...this.#rows.keys()].filter((one) => !seen.has(one))) {
      isOther = true;
      this.#letGo(id);
    }
    if (isOther) this.#settle();
  }

  /** The drawn row of an item. Where there is none it is drawn next, with `version` growing. */
  bring(itemId: string): HTMLElement | undefined {
    const { scroller } = this.#parts ?? {};
    const place = this.#book.placeOf(itemId);
    if (!scroller || place === -1) return undefined;
    const row = this.#rows.get(itemId);
    // One that is drawn for another reason, far from the view, has nothing around it.
    if (row && this.#span.from <= place && place < this.#span.to) return row;
    this.#target = itemId;
    this.#span = spanAround(place, scroller.clientHeight, this.#book);
    this.#version.value += 1;
    return undefined;
  }

  /** After what was asked for has been scrolled to. */
  arrived(): void {
    this.#target = undefined;
    this.#anchor = undefined;
    this.#settle();
  }

  toEnd(): void {
    if (!this.#parts) return;
    this.#target = undefined;
    this.#goToEnd(this.#parts.scroller);
    this.#refresh();
  }

  #goToEnd(scroller: HTMLElement): void {
    scroller.scrollTop = scroller.scrollHeight;
    this.#follow = { following: true, last: measure(scroller) };
    this.#atEnd.value = true;
  }

  #scrolled(): void {
    this.#target = undefined;
    this.#place(false);
    this.#refresh();
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    for (const { target, borderBoxSize } of entries) {
      const id = target instanceof HTMLElement ? target.dataset.row : undefined;
      const height = borderBoxSize[0]?.blockSize;
      if (id !== undefined && height !== undefined) this.#book.measure(id, height);
    }
    this.#place();
    // Not within this very call: what it draws would be an observer's loop, which browsers report.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#refresh();
    });
  }

  #settle(): void {
    this.#place();
    this.#refresh();
  }

  /** To the end, or back to what is read. */
  #place(goesOn = true): void {
    const { scroller, content } = this.#parts ?? {};
    if (!scroller || !content) return;
    const { last } = this.#follow;
    // The reader may have moved in this very frame, before the scroll event.
    const box = measure(scroller);
    this.#follow = follow(this.#follow, box);
    if (this.#follow.following) {
      if (goesOn) this.#goToEnd(scroller);
      this.#anchor = undefined;
    } else {
      const moved = isCut(last, box) ? 0 : box.top - last.top;
      this.#hold(scroller, moved);
      if (Math.abs(moved) >= ROUNDING || !this.#anchor?.places[0]?.element.isConnected) {
        this.#anchor = findAnchor(scroller, content);
      }
    }
    this.#atEnd.value = this.#follow.following || isAtEnd(this.#follow.last);
  }

  /** @param moved how far the reader has scrolled since the anchor was taken */
  #hold(scroller: HTMLElement, moved: number): void {
    const drift = this.#anchor && driftOf(this.#anchor, scroller);
    if (drift === undefined || Math.abs(drift + moved) < ROUNDING) return;
    scroller.scrollTop += drift + moved;
    this.#follow = { following: false, last: measure(scroller) };
  }

  #refresh(): void {
    const { scroller, padding } = this.#parts ?? {};
    if (!scroller || padding === undefined || this.#target !== undefined) return;
    const sight = { top: scroller.scrollTop - padding, height: scroller.clientHeight };
    const next = nextSpan(this.#span, sight, this.#book);
    if (isSameSpan(next, this.#span)) return;
    this.#span = next;
    this.#version.value += 1;
  }

  /**
   * Stays drawn wherever it is: what has the focus or an end of the selection, and the newest
   * answer, which is announced as it is drawn.
   */
  #kept(items: readonly TranscriptItem[]): readonly number[] {
    const selection = document.getSelection();
    const nodes = [document.activeElement, selection?.anchorNode, selection?.focusNode];
    const ids = nodes.map((node) => rowOf(node ?? null)?.dataset.row);
    const newest = items.findLastIndex(({ kind }) => kind === 'assistant');
    return [...ids.map((id) => this.#book.placeOf(id)), newest, items.length - 1];
  }

  /** A screen reader counts what is drawn, and the conversation is longer. */
  #tellPlace(row: HTMLElement, id: string): void {
    const article = row.firstElementChild;
    if (article?.tagName !== 'ARTICLE') return;
    article.setAttribute('aria-posinset', String(this.#book.placeOf(id) + 1));
    article.setAttribute('aria-setsize', String(this.#book.count));
  }

  #letGo(id: string): void {
    const row = this.#rows.get(id);
    if (row) this.#observer?.unobserve(row);
    this.#rows.delete(id);
  }
}

/** Less high than before, and so the browser moved it: nobody scrolled. */
function isCut(last: ScrollBox, box: ScrollBox): boolean {
  const isShrunk = box.height < last.height || box.client > last.client;
  return isShrunk && box.top < last.top && isAtEnd(box);
}

/** The row that a node stands in. */
export function rowOf(node: Node | null): HTMLElement | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-row]') ?? undefined;
}

function measure(element: HTMLElement): ScrollBox {
  return { top: element.scrollTop, height: element.scrollHeight, client: element.clientHeight };
}

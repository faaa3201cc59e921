import { hasDefinition, renderForView, splitBlocks, withoutOpenRule } from '../chat/markdown';
import type { LongCode } from '../chat/longCodeProtocol';
import type { CodeColours } from './codeColours';
import { keepWrapped } from './codeWrap';
import { keepCuts, noteCuts } from './cutCode';
import { LEAST_MS, FrameBudget } from './frameBudget';
import { keepSelection } from './keepSelection';
import { morph } from './morph';
import { toSafeNodesOfEach } from './sanitize';
import { SplitStream } from './splitStream';

/** Blocks that stand in one box: whatever grows, the browser looks at all that stand beside it. */
const TOGETHER = 64;
/** A last block that takes longer to draw, in milliseconds, is not drawn in each frame. */
const LONG_MS = 8;
/** So many blocks are made into nodes in one go, unless they are long: much is set up only once for all. */
const BATCH = 8;
const BATCH_CHARS = 4_000;
/** One that does, such as a table of a thousand rows, gets so much of the time. */
const SHARE = 1 / 4;

/**
 * Draws growing markdown into an element, block by block. Finished blocks are never touched again;
 * the last one is drawn at most once a frame.
 */
export class MarkdownView {
  readonly #root: HTMLElement;
  readonly #colours: CodeColours;
  readonly #onBlocksDone: (texts: readonly string[]) => void;
  readonly #stream = new SplitStream(splitBlocks, hasDefinition);
  /** Of each block, as it is to be drawn; those before `#at` are drawn. */
  readonly #sources: string[] = [];
  #at = 0;
  readonly #blocks: HTMLElement[] = [];
  /** What stands in each of them. */
  readonly #drawn: string[] = [];
  readonly #budget = new FrameBudget();
  #frame: number | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** What drawing one of the last blocks took, in milliseconds. */
  #took = 1;
  #next: { readonly text: string; readonly complete: boolean } | undefined;
  /** What has come since, to be drawn. */
  #grown = '';
  #isComplete = false;
  /** Blocks before this index have been reported as done. */
  #reported = 0;

  constructor(
    root: HTMLElement,
    colours: CodeColours,
    onBlocksDone: (texts: readonly string[]) => void,
  ) {
    this.#root = root;
    this.#colours = colours;
    this.#onBlocksDone = onBlocksDone;
  }

  /** Draws all of a text at the next frame, or at once the first time, so that nothing flashes empty. */
  update(text: string, complete: boolean): void {
    this.#next = { text, complete };
    this.#grown = '';
    if (this.#blocks.length === 0) this.#draw(Infinity);
    else this.#drawLater();
  }

  /** Draws what has come since at the next frame. */
  grow(text: string): void {
    this.#grown += text;
    if (this.#blocks.length === 0) this.#draw(soon());
    else this.#drawLater();
  }

  dispose(): void {
    this.#cancel();
    this.#colours.forget(this.#root);
  }

  #drawLater(): void {
    if (this.#frame !== undefined || this.#pause !== undefined) return;
    const inFrame = (): void => {
      this.#pause = undefined;
      this.#frame = requestAnimationFrame((now) => this.#drawFrame(now));
    };
    if (this.#took <= LONG_MS) inFrame();
    else this.#pause = setTimeout(inFrame, this.#took / SHARE - this.#took);
  }

  #cancel(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#pause);
    this.#frame = undefined;
    this.#pause = undefined;
  }

  /** What comes in a burst is drawn in several frames. */
  #drawFrame(now: number): void {
    this.#draw(performance.now() + this.#budget.next(now));
    if (this.#frame === undefined) this.#budget.rest();
  }

  #draw(until: number): void {
    this.#cancel();
    this.#take();
    this.#skipDrawn();
    const isDrawn = keepSelection(this.#root, this.#blocks[this.#at], () => {
      if (!this.#drawUntil(until)) return false;
      // Only then: until what they say stands elsewhere it stands there.
      while (this.#blocks.length > this.#sources.length) this.#dropLast();
      return true;
    });
    this.#drawn.length = this.#blocks.length;
    if (!isDrawn) this.#drawLater();
    this.#report(Math.min(this.#at, this.#sources.length - (this.#isComplete ? 0 : 1)));
  }

  /** Splits what has come. */
  #take(): void {
    const next = this.#next;
    const grown = this.#grown;
    this.#next = undefined;
    this.#grown = '';
    if (next === undefined && grown === '') return;
    const { from, blocks } = this.#split(next, grown);
    this.#isComplete = next?.complete === true;
    this.#sources.splice(from, Infinity, ...blocks);
    const last = this.#sources.at(-1);
    if (!this.#isComplete && last !== undefined) {
      this.#sources[this.#sources.length - 1] = withoutOpenRule(last);
    }
    this.#at = Math.min(this.#at, from);
  }

  #split(next: { readonly text: string; readonly complete: boolean } | undefined, grown: string) {
    if (next === undefined) return this.#stream.grow(grown);
    const text = next.text + grown;
    return next.complete ? this.#stream.finish(text, this.#sources) : this.#stream.begin(text);
  }

  /** @returns whether all is drawn */
  #drawUntil(time: number): boolean {
    while (this.#skipDrawn()) {
      const begin = performance.now();
      if (begin > time) return false;
      const from = this.#at;
      this.#at = this.#endOfBatch((time - begin) / this.#took);
      this.#drawBlocks(from, this.#at);
      this.#took = (performance.now() - begin) / (this.#at - from);
    }
    return true;
  }

  /** @returns whether one is left */
  #skipDrawn(): boolean {
    while (this.#at < this.#sources.length && this.#isDrawn(this.#at)) this.#at += 1;
    return this.#at < this.#sources.length;
  }

  #isDrawn(index: number): boolean {
    return this.#drawn[index] === this.#sources[index];
  }

  /** @param most so many blocks there is time for; one is drawn at least */
  #endOfBatch(most: number): number {
    let end = this.#at;
    let chars = 0;
    do {
      chars += this.#sources[end]?.length ?? 0;
      end += 1;
    } while (
      end + 1 <= this.#at + Math.min(BATCH, most) &&
      end < this.#sources.length &&
      chars < BATCH_CHARS &&
      !this.#isDrawn(end)
    );
    return end;
  }

  #drawBlocks(from: number, to: number): void {
    const sources = this.#sources.slice(from, to);
    const rendered = sources.map(renderForView);
    const all = toSafeNodesOfEach(rendered.map(({ html }) => html));
    for (const [at, nodes] of all.entries()) {
      this.#drawBlock(from + at, nodes, rendered[at]?.cuts ?? []);
      this.#drawn[from + at] = sources[at] ?? '';
    }
  }

  #drawBlock(index: number, nodes: DocumentFragment, cuts: readonly LongCode[]): void {
    const block = this.#blocks[index] ?? this.#addBlock();
    this.#colours.forget(block);
    noteCuts(nodes, cuts);
    keepWrapped(block, () => morph(block, nodes));
    keepCuts(block, cuts);
    // One that had been finished before is drawn anew at the end of the text at times.
    if (index < this.#reported) this.#colours.colour(block);
  }

  #addBlock(): HTMLElement {
    if (this.#blocks.length % TOGETHER === 0) this.#root.append(boxOf('md-part'));
    const block = boxOf('md-block');
    this.#root.lastElementChild?.append(block);
    this.#blocks.push(block);
    return block;
  }

  #dropLast(): void {
    const last = this.#blocks.pop();
    if (last === undefined) return;
    this.#colours.forget(last);
    if (this.#blocks.length % TOGETHER === 0) last.parentElement?.remove();
    else last.remove();
  }

  #report(done: number): void {
    if (done <= this.#reported) return;
    const blocks = this.#blocks.slice(this.#reported, done);
    for (const block of blocks) this.#colours.colour(block);
    const texts = blocks.map((block) => block.textContent.trim());
    this.#reported = done;
    this.#onBlocksDone(texts.filter((text) => text !== ''));
  }
}

/** Until when something is drawn outside a frame. */
function soon(): number {
  return performance.now() + LEAST_MS;
}

function boxOf(className: string): HTMLElement {
  const box = document.createElement('div');
  box.className = className;
  return box;
}

import { renderForView, splitBlocks } from '../chat/markdown';
import type { CodeColours } from './codeColours';
import { keepCuts, noteCuts } from './cutCode';
import { morph } from './morph';
import { toSafeNodes } from './sanitize';
import { SplitStream } from './splitStream';

/**
 * Draws growing markdown into an element, block by block. Finished blocks are never touched again;
 * the last one is drawn at most once a frame.
 */
export class MarkdownView {
  readonly #root: HTMLElement;
  readonly #colours: CodeColours;
  readonly #onBlocksDone: (texts: readonly string[]) => void;
  readonly #stream = new SplitStream(splitBlocks);
  #sources: string[] = [];
  #frame: number | undefined;
  #next: { readonly text: string; readonly complete: boolean } | undefined;
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

  /** Draws at the next frame, or at once the first time, so that nothing flashes empty. */
  update(text: string, complete: boolean): void {
    this.#next = { text, complete };
    if (this.#sources.length === 0 || complete) this.#draw();
    else this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  dispose(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#colours.forget(this.#root);
  }

  #draw(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const next = this.#next;
    if (!next) return;
    const sources = this.#stream.update(next.text, next.complete);
    sources.forEach((source, index) => {
      if (this.#sources[index] !== source) this.#drawBlock(index, source);
    });
    while (this.#root.children.length > sources.length) this.#dropLast();
    this.#sources = [...sources];
    this.#report(next.complete ? sources.length : sources.length - 1);
  }

  #drawBlock(index: number, source: string): void {
    let block = this.#root.children[index];
    if (!block) {
      block = document.createElement('div');
      block.className = 'md-block';
      this.#root.append(block);
    }
    this.#colours.forget(block);
    const { html, cuts } = renderForView(source);
    const nodes = toSafeNodes(html);
    noteCuts(nodes, cuts);
    morph(block, nodes);
    keepCuts(block, cuts);
    // One that had been finished before is drawn anew at the end of the text at times.
    if (index < this.#reported) this.#colours.colour(block);
  }

  #dropLast(): void {
    const last = this.#root.lastElementChild;
    if (last === null) return;
    this.#colours.forget(last);
    last.remove();
  }

  #report(done: number): void {
    if (done <= this.#reported) return;
    const blocks = [...this.#root.children].slice(this.#reported, done);
    for (const block of blocks) this.#colours.colour(block);
    const texts = blocks.map((block) => block.textContent.trim());
    this.#reported = done;
    this.#onBlocksDone(texts.filter((text) => text !== ''));
  }
}

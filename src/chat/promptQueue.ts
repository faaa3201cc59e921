import type { WaitingPrompt } from './promptExpansion';

/**
 * Prompts that wait for the running turn to end. Held here and not in the CLI, so that they can be
 * edited and taken back, and so that Stop never starts the next one by itself (facts, section 6).
 */
export class PromptQueue {
  #items: WaitingPrompt[] = [];
  #paused = false;
  /** Every id that was ever taken: a doubled message, or one sent again after a reload, counts once. */
  readonly #seen = new Map<string, number>();
  /** Those that were put back. */
  readonly #back = new Set<string>();

  /** What waits, first to be sent first. A new array after each change. */
  get items(): readonly WaitingPrompt[] {
    return this.#items;
  }

  /** After Stop nothing starts by itself until the person sends something. */
  get isPaused(): boolean {
    return this.#paused;
  }

  /** Claims a prompt's id. False when it was claimed before: then the prompt must not be sent. */
  claim(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, this.#seen.size);
    return true;
  }

  /** Puts a claimed prompt at the end. False when its id waits already. */
  hold(prompt: WaitingPrompt): boolean {
    if (this.#items.some((item) => item.id === prompt.id)) return false;
    this.#items = [...this.#items, prompt];
    return true;
  }

  /**
   * Puts a prompt back in front: it was taken, but the CLI ended before it got it. Of several that are
   * put back the one that was said first goes first, in whatever order they come.
   */
  putBack(prompt: WaitingPrompt): void {
    const others = this.#items.filter((item) => item.id !== prompt.id);
    const claimed = ({ id }: WaitingPrompt): number => this.#seen.get(id) ?? -1;
    const isBefore = (item: WaitingPrompt): boolean =>
      this.#back.has(item.id) && claimed(item) < claimed(prompt);
    const at = others.findIndex((item) => !isBefore(item));
    this.#items = others.toSpliced(at === -1 ? others.length : at, 0, prompt);
    this.#back.add(prompt.id);
  }

  /** Takes one out, for Remove, Edit and Send now. Undefined when it does not wait (any more). */
  take(id: string): WaitingPrompt | undefined {
    const found = this.#items.find((item) => item.id === id);
    if (found) this.#items = this.#items.filter((item) => item !== found);
    return found;
  }

  /** Lets one go earlier (−1) or later (1). False where it does not wait, or stands at that end. */
  move(id: string, by: -1 | 1): boolean {
    const from = this.#items.findIndex((item) => item.id === id);
    const [moved, other] = [this.#items[from], this.#items[from + by]];
    if (moved === undefined || other === undefined) return false;
    const items = [...this.#items];
    items[from] = other;
    items[from + by] = moved;
    this.#items = items;
    return true;
  }

  /** Takes the next one; undefined when nothing may go or the queue is paused. */
  next(): WaitingPrompt | undefined {
    const first = this.#items.find(({ held }) => held !== true);
    return this.#paused || first === undefined ? undefined : this.take(first.id);
  }

  /** Takes one out to be sent at once and lets the others follow again. */
  sendNow(id: string): WaitingPrompt | undefined {
    const prompt = this.take(id);
    if (prompt) this.#paused = false;
    return prompt;
  }

  /** Only where something waits: else the next prompt would wait for nothing. */
  pause(): void {
    this.#paused = this.#items.length > 0;
  }

  resume(): void {
    this.#paused = false;
  }

  clear(): void {
    this.#items = [];
    this.#paused = false;
  }
}

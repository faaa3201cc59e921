import type { ToolBlock, TranscriptItem } from '../chat/viewStateProtocol';

/** What the reader has opened and folded, by name: a row that is drawn again is as it was left. */
export class FoldBook {
  readonly #open = new Map<string, boolean>();

  /** Undefined where it is as it came. */
  get(name: string): boolean | undefined {
    return this.#open.get(name);
  }

  set(name: string, isOpen: boolean): void {
    this.#open.set(name, isOpen);
  }

  /** Another conversation is shown, in which the names mean something else. */
  forget(): void {
    this.#open.clear();
  }

  /** All is folded, also what is not drawn and would be open by itself. */
  collapse(items: readonly TranscriptItem[]): void {
    this.#open.clear();
    for (const item of items) {
      if (item.kind !== 'assistant') continue;
      for (const block of item.blocks) {
        if (block.kind === 'tool' && isBornOpen(block)) this.#open.set(block.id, false);
      }
    }
  }
}

/** A call that changed a file shows the change, and the newest list of tasks itself. */
export function isBornOpen({ diff, todos }: ToolBlock): boolean {
  return diff !== undefined || todos?.isLatest === true;
}

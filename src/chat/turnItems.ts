import type { ErrorFields } from './chatEvent';
import type { TranscriptStore } from './transcriptStore';
import type { AssistantItem, Block, NoticeItem } from './viewStateProtocol';

/**
 * Which item the model's output goes into: one per turn between two things the person said.
 * An item is made with its first block, so an empty one is never drawn.
 */
export class TurnItems {
  readonly #store: TranscriptStore;
  #current: AssistantItem | undefined;
  /** The last item of the running turn; it stays when the person says something in between. */
  #ofTurn: AssistantItem | undefined;
  #drew = false;
  #ids = 0;

  constructor(store: TranscriptStore) {
    this.#store = store;
  }

  /** Whether the running turn has shown anything. */
  get drew(): boolean {
    return this.#drew;
  }

  /** The last block that the running turn has drawn on the main thread. */
  get lastBlock(): Block | undefined {
    return this.#ofTurn?.blocks.findLast(({ parentToolUseId }) => parentToolUseId === undefined);
  }

  nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  /** The item for the next block of the main thread. */
  open(): AssistantItem {
    if (!this.#current || !this.#store.hasItem(this.#current.id)) {
      this.#current = { kind: 'assistant', id: this.nextId('a'), blocks: [] };
      this.#store.addItem(this.#current);
    }
    this.#ofTurn = this.#current;
    this.#drew = true;
    return this.#current;
  }

  /** The person said something: what follows is a new item. */
  breakHere(): void {
    this.#current = undefined;
  }

  endTurn(): void {
    this.#current = undefined;
    this.#ofTurn = undefined;
    this.#drew = false;
  }

  /** Marks the running turn as stopped; a notice says so where it has shown nothing yet. */
  markStopped(notice: string): void {
    if (this.#ofTurn && this.#store.hasItem(this.#ofTurn.id)) {
      this.#store.markStopped(this.#ofTurn);
    } else if (!this.#drew) {
      this.notice(notice);
    }
  }

  notice(text: string, tone: NoticeItem['tone'] = 'info'): void {
    this.#drew = true;
    this.aside(text, tone);
  }

  /** A quiet line about something else than the turn. @returns its id */
  aside(text: string, tone: NoticeItem['tone'] = 'info', actions?: NoticeItem['actions']): string {
    const more = actions === undefined ? {} : { actions };
    const id = this.nextId('n');
    this.#store.addItem({ kind: 'notice', id, tone, text, ...more });
    return id;
  }

  error(fields: ErrorFields): void {
    this.#drew = true;
    this.#store.addItem({ kind: 'error', id: this.nextId('e'), ...fields });
  }
}

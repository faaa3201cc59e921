import { signal, type ReadonlySignal } from '@preact/signals';
import type { ConversationsAnswer } from '../chat/conversationsProtocol';

/** The past conversations as the host has told them; undefined until it has. */
export class ConversationsModel {
  readonly #ask: () => void;
  readonly #answer = signal<ConversationsAnswer | undefined>(undefined);

  readonly #openRequests = signal(0);

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  get answer(): ReadonlySignal<ConversationsAnswer | undefined> {
    return this.#answer;
  }

  /** Grows when something asks for the list to open. */
  get openRequests(): ReadonlySignal<number> {
    return this.#openRequests;
  }

  open(): void {
    this.#openRequests.value += 1;
  }

  /** What was told before stays until the new answer is there. */
  refresh(): void {
    this.#ask();
  }

  answered(answer: ConversationsAnswer): void {
    this.#answer.value = answer;
  }
}

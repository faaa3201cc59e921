import { signal, type ReadonlySignal } from '@preact/signals';
import type { ConversationsAnswer } from '../chat/conversationsProtocol';

/** What became of a conversation that was deleted. */
export interface DeletedNote {
  readonly sessionId: string;
  readonly title: string;
  /** Why it could not be brought back. */
  readonly problem?: string;
}

/** The past conversations as the host has told them; undefined until it has. */
export class ConversationsModel {
  readonly #ask: () => void;
  readonly #answer = signal<ConversationsAnswer | undefined>(undefined);
  readonly #deleted = signal<DeletedNote | undefined>(undefined);
  readonly #isOpen = signal(false);
  /** Undo was pressed: the next answer tells what came of it. */
  #isUndoing = false;

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

  /** The last one that was deleted and can be brought back, also after the dialog was closed. */
  get deleted(): ReadonlySignal<DeletedNote | undefined> {
    return this.#deleted;
  }

  /** Whether the dialog is there. */
  get isOpen(): ReadonlySignal<boolean> {
    return this.#isOpen;
  }

  opened(): void {
    this.#isOpen.value = true;
  }

  closed(): void {
    this.#isOpen.value = false;
  }

  /** What was told before stays until the new answer is there. */
  refresh(): void {
    this.#ask();
  }

  undoing(): void {
    this.#isUndoing = true;
  }

  forgetDeleted(): void {
    this.#deleted.value = undefined;
  }

  answered(answer: ConversationsAnswer): void {
    this.#answer.value = answer;
    const { deleted, problem } = answer.kind === 'list' ? answer : {};
    const last = this.#deleted.value;
    if (deleted) this.#deleted.value = deleted;
    else if (this.#isUndoing && last) {
      this.#deleted.value = problem === undefined ? undefined : { ...last, problem };
    }
    this.#isUndoing = false;
  }
}

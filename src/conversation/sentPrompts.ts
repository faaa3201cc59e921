import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { SentPrompt } from './conversationPorts';
import { asKept } from './promptParts';

/** What was sent, or was to be, and may not have been read: it must come back with the next process. */
export class SentPrompts {
  /** Of the turn that runs, or whose process has just ended. */
  #last: SentPrompt | undefined;
  /** Not taken up by a process that has ended or never began; nobody has sent them again. */
  #failed: readonly SentPrompt[] = [];

  get all(): readonly SentPrompt[] {
    return this.#last === undefined ? this.#failed : [...this.#failed, this.#last];
  }

  begin(prompt: QueuedPrompt, wireId: string): void {
    this.#last = { ...asKept(prompt), wireId };
  }

  /** The turn has ended, or its prompt waits again. */
  end(): void {
    this.#last = undefined;
  }

  /** The turn has failed before its prompt was taken up: it is offered to be sent once more. */
  fail(): void {
    if (this.#last) this.#failed = [...this.#failed, this.#last];
    this.#last = undefined;
  }

  /** One that failed is sent again. */
  forget(id: string): void {
    this.#failed = this.#failed.filter((prompt) => prompt.id !== id);
  }
}

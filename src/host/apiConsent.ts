import { createDeferred, type Deferred } from '../base/deferred';
import { Emitter, type Event } from '../base/event';
import { isJsonObject } from '../protocol/lazySchema';

export interface ConsentPorts {
  /** For the person, not for a workspace. */
  readonly memory: { get(): unknown; set(value: Readonly<Record<string, boolean>>): unknown };
  /** `undefined`: not answered. */
  readonly ask: (extension: string) => Promise<boolean | undefined>;
}

/** What the person allowed to other extensions: asked once for each, remembered, revocable. */
export class ApiConsent {
  readonly #ports: ConsentPorts;
  readonly #asking = new Map<string, Deferred<boolean>>();
  /** Not answered in this window: asked again in the next. */
  readonly #unanswered = new Set<string>();
  /** Answers that could not be stored: they hold in this window. */
  readonly #unstored = new Map<string, boolean>();
  readonly #failed = new Emitter<unknown>();

  /** Fires where the answer to a question could not be stored. */
  readonly onDidFail: Event<unknown> = this.#failed.event;

  constructor(ports: ConsentPorts) {
    this.#ports = ports;
  }

  /** Undefined: never answered. */
  answer(extension: string): boolean | undefined {
    if (this.#unstored.has(extension)) return this.#unstored.get(extension);
    const stored = this.#ports.memory.get();
    const value =
      isJsonObject(stored) && Object.hasOwn(stored, extension) ? stored[extension] : undefined;
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Asks where that is still open. */
  request(extension: string): Promise<boolean> {
    const known = this.answer(extension);
    if (known !== undefined) return Promise.resolve(known);
    if (this.#unanswered.has(extension)) return Promise.resolve(false);
    const asking = this.#asking.get(extension);
    if (asking !== undefined) return asking.promise;
    const question = createDeferred<boolean>();
    this.#asking.set(extension, question);
    this.#ports.ask(extension).then(
      (answer) => {
        // Answered elsewhere meanwhile: that counts.
        if (question.settled) return;
        if (answer !== undefined) {
          this.set(extension, answer).catch((error: unknown) => this.#failed.fire(error));
          return;
        }
        this.#unanswered.add(extension);
        this.#settle(extension, false);
      },
      () => {
        this.#settle(extension, false);
      },
    );
    return question.promise;
  }

  /**
   * Also while the question stands: it is answered by that.
   * @throws what the memory throws; the answer holds in this window all the same
   */
  async set(extension: string, isAllowed: boolean): Promise<void> {
    this.#unanswered.delete(extension);
    try {
      await this.#ports.memory.set({ ...this.#all(), [extension]: isAllowed });
      this.#unstored.delete(extension);
    } catch (error) {
      this.#unstored.set(extension, isAllowed);
      throw error;
    } finally {
      this.#settle(extension, isAllowed);
    }
  }

  #settle(extension: string, isAllowed: boolean): void {
    this.#asking.get(extension)?.resolve(isAllowed);
    this.#asking.delete(extension);
  }

  #all(): Record<string, boolean> {
    const stored = this.#ports.memory.get();
    return Object.fromEntries(
      Object.entries(isJsonObject(stored) ? stored : {}).filter(
        (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
      ),
    );
  }
}

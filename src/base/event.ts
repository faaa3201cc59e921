import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener; the result ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A wrapper of its own, so that the same function can be subscribed twice. */
interface Entry<T> {
  readonly listener: (value: T) => void;
}

/**
 * A list of listeners. One listener that throws does not keep the value from the others:
 * its error goes to `onError`, by default to the next tick as an uncaught error.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Entry<T>>();
  /** Who is told now, whoever comes or goes meanwhile; copied when the set has changed. */
  #told: readonly Entry<T>[] | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { listener };
    this.#listeners.add(entry);
    this.#told = undefined;
    return toDisposable(() => {
      this.#listeners.delete(entry);
      this.#told = undefined;
    });
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(value: T): void {
    for (const { listener } of (this.#told ??= [...this.#listeners])) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
    this.#told = undefined;
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

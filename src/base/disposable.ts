/** Something that can be let go of. Compatible with `vscode.Disposable`. */
export interface Disposable {
  dispose(): unknown;
}

/** Wraps a function as a disposable that runs it at most once. */
export function toDisposable(fn: () => void): Disposable {
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      fn();
    },
  };
}

/**
 * Owns disposables and lets go of them in reverse order.
 * What is added to a store that is already disposed is disposed at once, so nothing leaks when a
 * listener is registered in the same tick in which its owner ends.
 */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const errors: unknown[] = [];
    for (const item of [...this.#items].reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#items.clear();
    if (errors.length > 0) throw new AggregateError(errors, 'Disposing failed');
  }
}

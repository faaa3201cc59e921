/**
 * Lets calls that write one document go one after the other, in the order in which they came; calls
 * on different documents do not wait for each other. A folder (`/` between) is all that lies in it.
 */
export class DocumentLocks {
  /** The end of the last holder, by document. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` while nobody else holds one of the documents. A holder's fault is its own. */
  async hold<T>(documents: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const keys = [...new Set(documents)];
    const others = [...this.#tails].filter(([held]) => keys.some((key) => touches(held, key)));
    const before = Promise.all(others.map(([, tail]) => tail));
    let release = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      release = resolve;
    });
    // All places in the queues are taken at once: two holders can never wait for each other.
    const tail = before.then(() => own);
    for (const key of keys) this.#tails.set(key, tail);
    await before;
    try {
      return await work();
    } finally {
      release();
      for (const key of keys) if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

function touches(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

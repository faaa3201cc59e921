/** Milliseconds of the tour's parts, by name, in the order in which they ended. */
export class Timing {
  readonly #parts: { readonly name: string; readonly ms: number }[] = [];
  readonly #begun = performance.now();

  /** Runs the work and keeps how long it took, even when it failed. */
  async measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#parts.push({ name, ms: Math.round(performance.now() - begun) });
    }
  }

  toJSON(): object {
    return { totalMs: Math.round(performance.now() - this.#begun), parts: this.#parts };
  }
}

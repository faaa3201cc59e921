import type { SeenFile } from './seenFile';

interface OpenWrite {
  /** Absolute, as it is to be looked at. */
  path: string;
  /** As it was when it was looked at last. */
  before: SeenFile;
  readonly calls: Set<string>;
}

/** The files that calls may be writing now, by their keys. */
export class OpenWrites {
  readonly #files = new Map<string, OpenWrite>();

  get keys(): readonly string[] {
    return [...this.#files.keys()];
  }

  get(key: string): Pick<OpenWrite, 'path' | 'before'> | undefined {
    return this.#files.get(key);
  }

  /** Whether it, or something below it, may be being written. */
  isBusy(key: string): boolean {
    return this.keys.some((one) => one === key || one.startsWith(`${key}/`));
  }

  keysOf(call: string): readonly string[] {
    return [...this.#files].flatMap(([key, { calls }]) => (calls.has(call) ? [key] : []));
  }

  /** Whether another call than this one may be writing it. */
  isOthers(key: string, call: string): boolean {
    return [...(this.#files.get(key)?.calls ?? [])].some((one) => one !== call);
  }

  set(key: string, path: string, before: SeenFile): void {
    const known = this.#files.get(key);
    if (known) known.before = before;
    else this.#files.set(key, { path, before, calls: new Set() });
  }

  join(key: string, call: string): void {
    this.#files.get(key)?.calls.add(call);
  }

  leave(key: string, call: string): void {
    const file = this.#files.get(key);
    file?.calls.delete(call);
    if (file?.calls.size === 0) this.#files.delete(key);
  }

  clear(): void {
    this.#files.clear();
  }

  /** With all that lies below. What a call said of the new place was said of a place without a file. */
  move(from: string, to: string, path: string): void {
    for (const [key, file] of [...this.#files]) {
      if (key !== from && !key.startsWith(`${from}/`)) continue;
      this.#files.delete(key);
      const rest = key.slice(from.length);
      this.#files.set(`${to}${rest}`, { ...file, path: `${path}${rest}` });
    }
  }
}

import { DefinitionError } from './definitionError';

/** One registration. The same definition, registered anew, makes another. */
export interface Entry<T> {
  readonly item: T;
  readonly source: string | undefined;
}

/** What a server offers of one kind, by name. A `Map`, since `constructor` is a key of every object. */
export class DefinitionList<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #what: string;
  #values: readonly T[] | undefined;

  /** @param what the kind as errors name it: `Server 'x' already has a tool` */
  constructor(what: string) {
    this.#what = what;
  }

  /** In the order of their registration; the same array until something changes. */
  get values(): readonly T[] {
    return (this.#values ??= [...this.#entries.values()].map(({ item }) => item));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): T | undefined {
    return this.#entries.get(name)?.item;
  }

  entry(name: string): Entry<T> | undefined {
    return this.#entries.get(name);
  }

  sourceOf(name: string): string | undefined {
    return this.#entries.get(name)?.source;
  }

  /** @throws DefinitionError when the name is taken; both sources are named */
  add(name: string, item: T, source: string | undefined): Entry<T> {
    const other = this.#entries.get(name);
    if (other !== undefined) {
      throw new DefinitionError(
        `${this.#what} '${name}'${from(other.source)}${source === undefined ? '' : `; the one${from(source)} is not offered`}`,
      );
    }
    const entry = { item, source };
    this.#entries.set(name, entry);
    this.#values = undefined;
    return entry;
  }

  /** False when it was not there, or another is there by now. */
  delete(name: string, entry: Entry<T> | undefined = this.#entries.get(name)): boolean {
    if (entry === undefined || this.#entries.get(name) !== entry) return false;
    this.#entries.delete(name);
    this.#values = undefined;
    return true;
  }
}

/** ` (from x)`, or nothing where it is not known. */
export function from(source: string | undefined): string {
  return source === undefined ? '' : ` (from ${source})`;
}

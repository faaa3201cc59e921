import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, isMissing } from '../base/errors';
import type { Logger } from '../base/logger';
import { replaceFile } from '../workFiles/replaceFile';

/** Editor tabs that were closed leave their entries behind; so many places keep theirs, by default. */
export const MAX_ENTRIES = 50;

/**
 * The first is ours, and the one that is written. At the start the newest of them is read: it may
 * be another host's that has, or had, this workspace (`storageTwins`).
 */
export type StoredTableFiles = readonly [string, ...string[]];

export interface StoredTableOptions<T> {
  readonly files: StoredTableFiles;
  readonly log: Logger;
  /** What is kept, for the log: "Drafts". */
  readonly what: string;
  /** An entry as it stands in the file; undefined passes over it. */
  readonly parse: (value: unknown) => T | undefined;
  /** How many entries are kept; {@link MAX_ENTRIES} unless given. */
  readonly max?: number;
}

/**
 * One value for each place, in one small file.
 *
 * A kill gives no last moment to save, and neither a webview's state nor a memento survives one, so
 * every change goes to the disk at once. Writes never overlap: what comes during one is written
 * after it, together. The file is replaced as a whole, so a kill leaves the old or the new text.
 */
export class StoredTable<T> {
  readonly #options: StoredTableOptions<T>;
  #entries = new Map<string, T>();
  #dirty = false;
  #writing: Promise<void> | undefined;

  private constructor(options: StoredTableOptions<T>) {
    this.#options = options;
  }

  /** Reads the newest file. One that is missing or damaged counts as empty. */
  static async open<T>(options: StoredTableOptions<T>): Promise<StoredTable<T>> {
    const table = new StoredTable(options);
    try {
      const file = await newestOf(options.files);
      table.#entries = parseEntries(await readFile(file, 'utf8'), options.parse);
    } catch (error) {
      if (!isMissing(error)) {
        options.log.warn(`${options.what} could not be read: ${errorMessage(error)}`);
      }
    }
    return table;
  }

  get(place: string): T | undefined {
    return this.#entries.get(place);
  }

  get values(): readonly T[] {
    return [...this.#entries.values()];
  }

  placesOf(isWanted: (value: T) => boolean): readonly string[] {
    return [...this.#entries].flatMap(([place, value]) => (isWanted(value) ? place : []));
  }

  /** Undefined removes the entry. */
  set(place: string, value: T | undefined): void {
    // Taken out first, so that the one changed last stands last and the oldest is dropped.
    this.#entries.delete(place);
    if (value !== undefined) this.#entries.set(place, value);
    const { max = MAX_ENTRIES } = this.#options;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= max) break;
      this.#entries.delete(oldest);
    }
    this.#dirty = true;
    this.#writing ??= this.#write();
  }

  /** Resolves when all that was set is on the disk, or could not be written (logged). */
  async flush(): Promise<void> {
    // What could not be written before is tried once more: it may be the last moment there is.
    if (this.#dirty) this.#writing ??= this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { log, what } = this.#options;
    const [file] = this.#options.files;
    try {
      await mkdir(path.dirname(file), { recursive: true });
      while (this.#dirty) {
        this.#dirty = false;
        await replaceFile(file, JSON.stringify(Object.fromEntries(this.#entries)));
      }
    } catch (error) {
      this.#dirty = true;
      log.warn(`${what} could not be saved: ${errorMessage(error)}`);
    } finally {
      this.#writing = undefined;
    }
  }
}

/** The one that was written last; the first where there is none. */
async function newestOf(files: StoredTableFiles): Promise<string> {
  const [first] = files;
  const times = await Promise.all(files.map(async (file) => ({ file, time: await timeOf(file) })));
  return times.reduce((best, one) => (one.time > best.time ? one : best), { file: first, time: 0 })
    .file;
}

/** Of the last change, in milliseconds; 0 where there is no such file. */
function timeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function parseEntries<T>(text: string, parse: (value: unknown) => T | undefined): Map<string, T> {
  const value: unknown = JSON.parse(text);
  const entries = new Map<string, T>();
  if (typeof value !== 'object' || value === null) return entries;
  for (const [place, raw] of Object.entries(value)) {
    const entry = parse(raw);
    if (entry !== undefined) entries.set(place, entry);
  }
  return entries;
}

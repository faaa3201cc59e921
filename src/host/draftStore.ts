import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';

/** Editor tabs that were closed leave their drafts behind; so many places keep theirs. */
export const MAX_DRAFTS = 50;

/**
 * The unsent texts of the inputs, by the id of their conversation's place, in one small file.
 *
 * A kill gives no last moment to save, and neither a webview's state nor a memento survives one, so
 * every change goes to the disk at once. Writes never overlap: what comes during one is written
 * after it, together. The file is replaced as a whole, so a kill leaves the old or the new text.
 */
export class DraftStore {
  readonly #file: string;
  readonly #log: Logger;
  #drafts = new Map<string, string>();
  #dirty = false;
  #writing: Promise<void> | undefined;

  private constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** Reads the file. One that is missing or damaged counts as empty. */
  static async open(file: string, log: Logger): Promise<DraftStore> {
    const store = new DraftStore(file, log);
    try {
      store.#drafts = parseDrafts(await readFile(file, 'utf8'));
    } catch (error) {
      if (!isMissing(error)) log.warn(`Drafts could not be read: ${errorMessage(error)}`);
    }
    return store;
  }

  get(place: string): string {
    return this.#drafts.get(place) ?? '';
  }

  set(place: string, text: string): void {
    if (this.get(place) === text) return;
    // Taken out first, so that the one changed last stands last and the oldest is dropped.
    this.#drafts.delete(place);
    if (text !== '') this.#drafts.set(place, text);
    for (const oldest of this.#drafts.keys()) {
      if (this.#drafts.size <= MAX_DRAFTS) break;
      this.#drafts.delete(oldest);
    }
    this.#dirty = true;
    this.#writing ??= this.#write();
  }

  /** Resolves when all that was set is on the disk, or could not be written (logged). */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      await mkdir(path.dirname(this.#file), { recursive: true });
      while (this.#dirty) {
        this.#dirty = false;
        await writeFile(temporary, JSON.stringify(Object.fromEntries(this.#drafts)));
        await rename(temporary, this.#file);
      }
    } catch (error) {
      this.#log.warn(`A draft could not be saved: ${errorMessage(error)}`);
      await rm(temporary, { force: true }).catch(() => undefined);
    } finally {
      this.#writing = undefined;
    }
  }
}

function parseDrafts(text: string): Map<string, string> {
  const value: unknown = JSON.parse(text);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

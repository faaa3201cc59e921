import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing } from '../base/errors';
import type { Logger } from '../base/logger';
import { shaOf } from './snapshot';

/** Bytes of one result that are kept, and of all results of one conversation. */
const MAX_RESULT = 64_000_000;
const MAX_KEPT = 256_000_000;
/** A conversation of an earlier window may be gone on with: so long its results stay, in ms. */
const LEFT_FOR_MS = 7 * 24 * 60 * 60 * 1000;

interface KeptResult {
  readonly file: string;
  readonly bytes: number;
}

/** The whole of results that were cut for the model, each a file that it can read. */
export class ResultStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #kept = new Map<string, KeptResult[]>();
  #count = 0;
  #cleared: Promise<void> | undefined;

  /** @param folder for nothing else; what is left in it by earlier windows is removed in time */
  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Writes it; the oldest of the conversation go when there are too many. @returns the file, absolute */
  async keep(
    conversation: string,
    tool: string,
    content: string | Uint8Array,
    ending: string,
  ): Promise<string | undefined> {
    const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    if (bytes > MAX_RESULT) return undefined;
    try {
      await (this.#cleared ??= this.#clear());
      const home = this.#home(conversation);
      await mkdir(home, { recursive: true });
      this.#count += 1;
      const file = path.join(home, `${tool}-${this.#count}.${ending}`);
      await writeFile(file, content);
      await this.#add(conversation, { file, bytes });
      return file;
    } catch (error) {
      this.#log.error('The whole of a result could not be kept', error);
      return undefined;
    }
  }

  /** The conversation has ended. */
  async forget(conversation: string): Promise<void> {
    if (!this.#kept.delete(conversation)) return;
    await rm(this.#home(conversation), { recursive: true, force: true }).catch((error: unknown) => {
      this.#log.error('Results of a conversation could not be removed', error);
    });
  }

  /** One failure is not for ever: the next result tries it again. */
  async #clear(): Promise<void> {
    try {
      const names = await readdir(this.#folder).catch((error: unknown) => {
        ignoreMissing(error);
        return [];
      });
      const left = await Promise.all(names.map((name) => leftIn(path.join(this.#folder, name))));
      let total = 0;
      for (const { home, bytes, since } of left.sort((a, b) => b.since - a.since)) {
        total += bytes;
        if (total <= MAX_KEPT && Date.now() - since < LEFT_FOR_MS) continue;
        await rm(home, { recursive: true, force: true });
      }
    } catch (error) {
      this.#cleared = undefined;
      throw error;
    }
  }

  #home(conversation: string): string {
    // Whatever stands in the id, it is one folder's name.
    return path.join(this.#folder, shaOf(conversation).slice(0, 16));
  }

  async #add(conversation: string, kept: KeptResult): Promise<void> {
    const all = this.#kept.get(conversation) ?? [];
    this.#kept.set(conversation, all);
    all.push(kept);
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > MAX_KEPT && all.length > 1) {
      const oldest = all.shift();
      if (oldest === undefined) return;
      total -= oldest.bytes;
      await rm(oldest.file, { force: true });
    }
  }
}

/** What an earlier window has left for one conversation; `since` is when it was added to last. */
async function leftIn(
  home: string,
): Promise<{ readonly home: string; readonly bytes: number; readonly since: number }> {
  try {
    const { mtimeMs: since } = await stat(home);
    const files = await readdir(home);
    const sizes = files.map(async (file) => (await stat(path.join(home, file))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return { home, since, bytes };
  } catch {
    // It is none of ours, or gone by now.
    return { home, since: 0, bytes: 0 };
  }
}

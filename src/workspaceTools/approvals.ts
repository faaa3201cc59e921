import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { array, literal, object, safeParse, string, tuple } from 'zod/mini';
import { isMissing } from '../base/errors';
import type { Logger } from '../base/logger';
import { replaceFile } from '../workFiles/replaceFile';
import { shaOf } from './snapshot';

/** What a folder's files were when the person said yes or no, by their path below the folder. */
export interface FolderApprovals {
  readonly approved: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<string, string>;
}

// Pairs and no object: a file may be called `__proto__`.
const pairs = array(tuple([string(), string()]));
const recordSchema = object({
  version: literal(1),
  folder: string(),
  approved: pairs,
  refused: pairs,
});

/**
 * What the person approved in one workspace folder, and the texts of it, in the extension's own
 * storage. What cannot be read there is not approved.
 */
export class Approvals {
  readonly #home: string;
  readonly #folder: string;
  readonly #log: Logger;
  #approved = new Map<string, string>();
  #refused = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  /** @param storage a folder of the extension's own */
  constructor(storage: string, folder: string, log: Logger) {
    this.#home = path.join(storage, shaOf(folder).slice(0, 32));
    this.#folder = folder;
    this.#log = log;
  }

  /** Reads what is kept. Never rejects. */
  async load(): Promise<void> {
    const file = path.join(this.#home, 'approvals.json');
    try {
      const json: unknown = JSON.parse(await readFile(file, 'utf8'));
      const parsed = safeParse(recordSchema, json);
      if (!parsed.success || parsed.data.folder !== this.#folder) {
        this.#log.warn(
          `${file} is damaged: the tool files of ${this.#folder} are asked about anew`,
        );
        return;
      }
      this.#approved = new Map(parsed.data.approved);
      this.#refused = new Map(parsed.data.refused);
    } catch (error) {
      if (!isMissing(error)) {
        this.#log.warn(
          `${file} cannot be read: the tool files of ${this.#folder} are asked about anew`,
        );
      }
    }
  }

  /** Where something else about the same folder can be kept. */
  homeOf(name: string): string {
    return path.join(this.#home, name);
  }

  get isEmpty(): boolean {
    return this.#approved.size === 0;
  }
  get files(): ReadonlyMap<string, string> {
    return this.#approved;
  }
  isApproved(file: string, sha: string): boolean {
    return this.#approved.get(file) === sha;
  }
  isRefused(file: string, sha: string): boolean {
    return this.#refused.get(file) === sha;
  }

  /** @param text undefined for what is no text; it is kept for the next question's comparison */
  approve(file: string, sha: string, text: string | undefined): void {
    this.#approved.set(file, sha);
    this.#refused.delete(file);
    if (text !== undefined) this.#texts.set(sha, text);
  }
  refuse(file: string, sha: string): void {
    this.#refused.set(file, sha);
  }
  /** As if it had never been asked about. */
  forget(file: string): void {
    this.#approved.delete(file);
    this.#refused.delete(file);
  }
  forgetRefusals(): void {
    this.#refused.clear();
  }
  forgetAll(): void {
    this.#approved.clear();
    this.#refused.clear();
  }

  /** The approved text of a file; undefined where there is none, or it was damaged. */
  async text(file: string): Promise<string | undefined> {
    const sha = this.#approved.get(file);
    if (sha === undefined) return undefined;
    const held = this.#texts.get(sha);
    if (held !== undefined) return held;
    try {
      const text = await readFile(path.join(this.#home, 'texts', sha), 'utf8');
      return shaOf(text) === sha ? text : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes what has changed, one after another. Never rejects: what is not kept is asked about again. */
  save(): Promise<void> {
    this.#writing = this.#writing.then(() =>
      this.#write().catch((error: unknown) => {
        this.#log.error(`The approvals of ${this.#folder} could not be kept`, error);
      }),
    );
    return this.#writing;
  }

  /** Resolves when nothing is left to be written, also of what came meanwhile. */
  async kept(): Promise<void> {
    let known: Promise<void> | undefined;
    while (known !== this.#writing) {
      known = this.#writing;
      await known;
    }
  }

  async #write(): Promise<void> {
    const texts = path.join(this.#home, 'texts');
    await mkdir(texts, { recursive: true });
    for (const [sha, text] of [...this.#texts]) {
      await replaceFile(path.join(texts, sha), text);
      this.#texts.delete(sha);
    }
    const record = {
      version: 1,
      folder: this.#folder,
      approved: [...this.#approved],
      refused: [...this.#refused],
    };
    await replaceFile(path.join(this.#home, 'approvals.json'), JSON.stringify(record));
    const needed = new Set(this.#approved.values());
    for (const sha of await readdir(texts)) {
      if (!needed.has(sha)) await rm(path.join(texts, sha), { force: true });
    }
  }
}

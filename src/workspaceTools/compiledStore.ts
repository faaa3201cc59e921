import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { array, enum as oneOf, int, object, safeParse, string, tuple } from 'zod/mini';
import type { Disposable } from '../base/disposable';
import { errorMessage, isMissing } from '../base/errors';
import type { Logger } from '../base/logger';
import { replaceFile } from '../workFiles/replaceFile';
import { shaOf } from './snapshot';
import type { Compiled, SourceMode } from './sourceCompiler';

/** What was made of one text of one file. */
export interface CompiledSource {
  /** Absolute path of the file. */
  readonly path: string;
  readonly mode: SourceMode;
  /** Of the text. */
  readonly sha: string;
  readonly compiled: Compiled;
}

interface Stored {
  readonly sha: string;
  readonly bytes: number;
}

const recordSchema = object({
  compiler: string(),
  path: string(),
  mode: oneOf(['import', 'require']),
  sha: string(),
  code: string(),
  isolation: oneOf(['host', 'worker']),
  imports: array(object({ specifier: string(), line: int(), column: int() })),
  // Pairs and no object: an export may be called `__proto__`.
  exports: array(tuple([string(), int()])),
});

/** Bytes of one file here, and of all of them. */
const MAX_ONE = 8_000_000;
const MAX_ALL = 20_000_000;
/** Files that are read at the same time. */
const AT_ONCE = 16;
/** What another window is writing is younger. */
const LEFT_AFTER_MS = 3_600_000;
const NAME = /^[\da-f]{32}\.json$/;

/**
 * What was compiled of one workspace folder, in the extension's own storage: a later window neither
 * loads the compiler nor compiles what has not changed. A file for each source and mode; whatever
 * cannot be read, is damaged or was made by another version of the compiler is as if it were not
 * there. Windows that write at once replace whole files. Nothing here rejects.
 */
export class CompiledStore implements Disposable {
  readonly #home: string;
  readonly #log: Logger;
  #compiler: string | undefined;
  /** What stands in the folder and can be used, by mode and path. */
  readonly #stored = new Map<string, Stored>();
  /** Names of what else stands there. */
  readonly #strays = new Set<string>();
  #reading: Promise<readonly CompiledSource[]> | undefined;
  #wanted: readonly CompiledSource[] | undefined;
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #isDisposed = false;

  /** @param home a folder for nothing else */
  constructor(home: string, log: Logger) {
    this.#home = home;
    this.#log = log;
  }

  /**
   * Reads what is kept: the first time all of it, later nothing.
   * @param compiler its version; where that is undefined nothing is read, and nothing kept
   */
  async take(compiler: string | undefined): Promise<readonly CompiledSource[]> {
    if (this.#reading !== undefined) {
      await this.#reading;
      return [];
    }
    this.#compiler = compiler;
    this.#reading = this.#read();
    return this.#reading;
  }

  /** From now on these are kept, as many as there is room for, and nothing else. */
  set(sources: readonly CompiledSource[]): void {
    if (this.#isDisposed) return;
    this.#wanted = sources;
    this.#writing ??= this.#write();
  }

  /** Resolves when nothing is left to be written. */
  async kept(): Promise<void> {
    await this.#writing;
  }

  /** What is not written by now is not kept. */
  dispose(): void {
    this.#isDisposed = true;
    this.#wanted = undefined;
  }

  async #read(): Promise<readonly CompiledSource[]> {
    const found: CompiledSource[] = [];
    const waiting = await this.#list();
    const tally = { bytes: 0, damaged: 0 };
    const work = async (): Promise<void> => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        const source = await this.#readOne(name, tally);
        if (source !== undefined) found.push(source);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (tally.damaged > 0) {
      this.#log.warn(`${tally.damaged} files of ${this.#home} are damaged: they are made anew`);
    }
    return found;
  }

  async #list(): Promise<string[]> {
    try {
      return await readdir(this.#home);
    } catch (error) {
      if (!isMissing(error)) this.#log.warn(`${this.#home} cannot be read: ${errorMessage(error)}`);
      return [];
    }
  }

  async #readOne(
    name: string,
    tally: { bytes: number; damaged: number },
  ): Promise<CompiledSource | undefined> {
    const file = path.join(this.#home, name);
    try {
      const { size, mtimeMs } = await stat(file);
      if (!NAME.test(name)) {
        if (Date.now() - mtimeMs > LEFT_AFTER_MS) this.#strays.add(name);
        return undefined;
      }
      this.#strays.add(name);
      if (this.#compiler === undefined) return undefined;
      tally.bytes += size;
      if (size > MAX_ONE || tally.bytes > MAX_ALL) return undefined;
      const record = readRecord(await readFile(file, 'utf8'));
      if (record === undefined || nameOf(record) !== name) {
        tally.damaged += 1;
        return undefined;
      }
      if (record.compiler !== this.#compiler) return undefined;
      this.#strays.delete(name);
      this.#stored.set(keyOf(record), { sha: record.sha, bytes: size });
      return record;
    } catch (error) {
      if (!isMissing(error)) tally.damaged += 1;
      return undefined;
    }
  }

  async #write(): Promise<void> {
    this.#reading ??= this.#read();
    await this.#reading;
    for (let wanted = this.#wanted; wanted !== undefined; wanted = this.#wanted) {
      this.#wanted = undefined;
      await this.#bring(wanted);
    }
    this.#writing = undefined;
  }

  async #bring(wanted: readonly CompiledSource[]): Promise<void> {
    for (const name of this.#strays) await this.#remove(name);
    const kept = new Set<string>();
    let bytes = 0;
    for (const source of wanted) {
      if (this.#isDisposed) return;
      const key = keyOf(source);
      let stored = this.#stored.get(key);
      if (stored?.sha !== source.sha) stored = await this.#store(source, MAX_ALL - bytes);
      if (stored === undefined || bytes + stored.bytes > MAX_ALL) continue;
      bytes += stored.bytes;
      kept.add(key);
      this.#stored.set(key, stored);
    }
    for (const key of [...this.#stored.keys()]) {
      if (kept.has(key)) continue;
      this.#stored.delete(key);
      await this.#remove(nameOfKey(key));
    }
  }

  async #remove(name: string): Promise<void> {
    this.#strays.delete(name);
    try {
      await rm(path.join(this.#home, name), { recursive: true, force: true });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** All of it or nothing. @returns undefined where it is not kept */
  async #store(source: CompiledSource, room: number): Promise<Stored | undefined> {
    const most = Math.min(room, MAX_ONE);
    if (this.#compiler === undefined || source.compiled.code.length > most) return undefined;
    const text = writeRecord(source, this.#compiler);
    const bytes = Buffer.byteLength(text);
    if (bytes > most) return undefined;
    const file = path.join(this.#home, nameOf(source));
    try {
      await mkdir(this.#home, { recursive: true });
      await replaceFile(file, text);
      return { sha: source.sha, bytes };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** Told once: the disk may be full for long, and all works without. */
  #failed(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.warn(`What was compiled could not be kept: ${errorMessage(error)}`);
  }
}

/** The first line is the sum of the rest. */
function writeRecord(
  { path: file, mode, sha, compiled }: CompiledSource,
  compiler: string,
): string {
  const { code, scan } = compiled;
  const { isolation, imports, exports } = scan;
  const body = JSON.stringify({
    ...{ compiler, path: file, mode, sha, code },
    ...{ isolation, imports, exports: [...exports] },
  });
  return `${shaOf(body)}\n${body}`;
}

function readRecord(text: string): (CompiledSource & { readonly compiler: string }) | undefined {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (shaOf(body) !== text.slice(0, end)) return undefined;
  const json: unknown = JSON.parse(body);
  const parsed = safeParse(recordSchema, json);
  if (!parsed.success) return undefined;
  const { code, isolation, imports, exports, ...rest } = parsed.data;
  return { ...rest, compiled: { code, scan: { isolation, imports, exports: new Map(exports) } } };
}

function keyOf({ mode, path: file }: Pick<CompiledSource, 'mode' | 'path'>): string {
  return `${mode} ${file}`;
}

function nameOf(source: Pick<CompiledSource, 'mode' | 'path'>): string {
  return nameOfKey(keyOf(source));
}

function nameOfKey(key: string): string {
  return `${shaOf(key).slice(0, 32)}.json`;
}

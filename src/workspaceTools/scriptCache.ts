import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { replaceFile } from '../workFiles/replaceFile';

export interface ScriptCacheOptions {
  /** A CommonJS program in one file; absolute. */
  readonly file: string;
  /** What V8 made of it is kept here; absolute. A file for nothing else, in a folder that need not be there. */
  readonly cacheFile: string;
  /** Told once where it cannot be kept: all works without. */
  readonly failed: (error: unknown) => void;
}

/** Bytes of a SHA-256. */
const SUM = 32;

/**
 * Runs a CommonJS program with what V8 compiled of it in an earlier process, functions that had run
 * by then among it: of a large program that is used for moments only, compiling itself is a good part
 * of what it takes. V8 refuses what another version of it or other flags made; it does not look at
 * the rest, so that a sum over program, machine and code stands before it.
 */
export class ScriptCache {
  readonly #options: ScriptCacheOptions;
  #ran: { readonly script: Script; readonly source: string } | undefined;
  #exports: unknown;

  constructor(options: ScriptCacheOptions) {
    this.#options = options;
  }

  /**
   * Blocks, and runs it once only.
   * @returns what it exports
   * @throws where it cannot be read, or throws itself
   */
  run(): unknown {
    if (this.#exports !== undefined) return this.#exports;
    const { file } = this.#options;
    const source = readFileSync(file, 'utf8');
    const cachedData = this.#read(source);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
      { filename: file, ...(cachedData === undefined ? {} : { cachedData }) },
    );
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#ran = { script, source };
    }
    const module = { exports: {} as unknown };
    // The function that is written above.
    const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
    run(module.exports, createRequire(file), module, file, path.dirname(file));
    this.#exports = module.exports;
    return this.#exports;
  }

  /** Keeps what is compiled of it by now, where nothing could be used that was kept. Never rejects. */
  async keep(): Promise<void> {
    const { cacheFile, failed } = this.#options;
    const ran = this.#ran;
    if (ran === undefined) return;
    this.#ran = undefined;
    try {
      const code = ran.script.createCachedData();
      await mkdir(path.dirname(cacheFile), { recursive: true });
      await replaceFile(cacheFile, Buffer.concat([sumOf(ran.source, code), code]));
    } catch (error) {
      failed(error);
    }
  }

  #read(source: string): Buffer | undefined {
    try {
      const kept = readFileSync(this.#options.cacheFile);
      const code = kept.subarray(SUM);
      return sumOf(source, code).equals(kept.subarray(0, SUM)) ? code : undefined;
    } catch {
      return undefined;
    }
  }
}

function sumOf(source: string, code: Uint8Array): Buffer {
  const { arch, versions } = process;
  return createHash('sha256')
    .update(`${arch} ${versions.v8} ${source.length} ${source}`)
    .update(code)
    .digest();
}

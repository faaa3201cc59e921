import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ScriptCache, type ScriptCacheOptions } from './scriptCache';
import { shaOf } from './snapshot';
import type { CompileSource } from './sourceCompiler';

/** What compiles, loaded when there is something to compile. */
export interface CompilerProgram {
  /**
   * Changes with everything but the source that its results depend on; undefined where that cannot
   * be told. Never rejects.
   */
  version(): Promise<string | undefined>;
  /** Takes some 0.3 s, and blocks: what `require` runs cannot wait. */
  load(): CompileSource;
  /** After it has compiled: what a later process need not do again to load it. Never rejects. */
  keep(): Promise<void>;
}

/**
 * @param file `sourceCompiler.ts` as it was built; absolute
 * @param cache without it each process begins anew
 */
export function compilerProgram(
  file: string,
  cache?: Omit<ScriptCacheOptions, 'file'>,
): CompilerProgram {
  const script = cache === undefined ? undefined : new ScriptCache({ file, ...cache });
  return {
    version: async () => {
      try {
        return shaOf(await readFile(file));
      } catch {
        return undefined;
      }
    },
    load: () => {
      // What that file exports.
      const program = (script?.run() ?? createRequire(file)(file)) as {
        readonly compileSource: CompileSource;
      };
      return program.compileSource;
    },
    keep: async () => script?.keep(),
  };
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
}

/** @param file `sourceCompiler.ts` as it was built; absolute */
export function compilerProgram(file: string): CompilerProgram {
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
      const program = createRequire(file)(file) as { readonly compileSource: CompileSource };
      return program.compileSource;
    },
  };
}

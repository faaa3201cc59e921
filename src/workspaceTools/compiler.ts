import * as l10n from '@vscode/l10n';
import type { CompilerProgram } from './compilerProgram';
import type { Compiled, CompileSource, SourceFault, SourceMode } from './sourceCompiler';

/** What is wrong with a source, and where. */
export class SourceError extends Error implements SourceFault {
  override readonly name = 'SourceError';

  constructor(
    message: string,
    readonly line: number | undefined,
    readonly column: number | undefined,
  ) {
    super(message);
  }
}

interface Kept {
  readonly text: string;
  readonly compiled: Compiled | SourceError;
}

/** Babel takes seconds for more, in which the extension host does nothing else. */
const MAX_CODE = 1_000_000;

/**
 * Makes TypeScript and ES modules runnable. The last version of each file is kept, so that what
 * several tool files import is compiled once.
 */
export class Compiler {
  readonly #kept = new Map<string, Kept>();
  readonly #program: Pick<CompilerProgram, 'load' | 'keep'>;
  #compileSource: CompileSource | undefined;

  /** @param program loaded with the first text that is not known */
  constructor(program: Pick<CompilerProgram, 'load' | 'keep'>) {
    this.#program = program;
  }

  /**
   * @param file absolute; the name in stacks
   * @throws SourceError
   */
  compile(file: string, text: string, mode: SourceMode = 'import'): Compiled {
    const key = keyOf(file, mode);
    let kept = this.#kept.get(key);
    if (kept?.text !== text) {
      kept = { text, compiled: this.#compile(file, text, mode) };
      this.#kept.set(key, kept);
    }
    if (kept.compiled instanceof SourceError) throw kept.compiled;
    return kept.compiled;
  }

  /**
   * Loads what compiles, where that is not done, and has it compile this: the first text takes three
   * times as long as the same text afterwards.
   * @throws where it cannot be loaded
   */
  prepare(file: string, text: string): void {
    if (this.#compileSource === undefined) this.#compile(file, text, 'import');
  }

  /** Keeps for later processes what they need not do again to load what compiles. Never rejects. */
  async keep(): Promise<void> {
    if (this.#compileSource !== undefined) await this.#program.keep();
  }

  /** Whether this very text of the file was compiled already, be it in vain. */
  knows(file: string, text: string): boolean {
    return this.#kept.get(keyOf(file, 'import'))?.text === text;
  }

  /** What was made of this very text of the file; undefined where it was not compiled, or in vain. */
  known(file: string, text: string, mode: SourceMode): Compiled | undefined {
    const kept = this.#kept.get(keyOf(file, mode));
    return kept?.text !== text || kept.compiled instanceof SourceError ? undefined : kept.compiled;
  }

  /** Takes over what was made of this very text elsewhere. */
  give(file: string, text: string, mode: SourceMode, compiled: Compiled): void {
    this.#kept.set(keyOf(file, mode), { text, compiled });
  }

  /** Lets go of the files that are not there any more. */
  forget(isGone: (file: string) => boolean): void {
    for (const key of this.#kept.keys()) {
      if (isGone(key.slice(key.indexOf(' ') + 1))) this.#kept.delete(key);
    }
  }

  #compile(file: string, text: string, mode: SourceMode): Compiled | SourceError {
    if (text.length > MAX_CODE) {
      return new SourceError(l10n.t('This file is too large to be run as code.'), 1, undefined);
    }
    const compileSource = (this.#compileSource ??= this.#program.load());
    const made = compileSource(file, text, mode);
    return 'code' in made ? made : new SourceError(made.message, made.line, made.column);
  }
}

function keyOf(file: string, mode: SourceMode): string {
  return `${mode} ${file}`;
}

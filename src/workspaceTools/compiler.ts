import * as l10n from '@vscode/l10n';
import type { createJiti } from 'jiti/static';
import { errorMessage } from '../base/errors';
import { isRecord } from '../mcp/wire';
import { type ScannedSource, scanProgram } from './scanProgram';

type Transform = NonNullable<ReturnType<typeof createJiti>['options']['transform']>;

/** What is to be compiled. */
export interface SourceText {
  /** Absolute; the name in stacks. */
  readonly file: string;
  readonly text: string;
}

/** A source as it can run, and what it says of itself. */
export interface Compiled {
  /** The body of a function: an async one, in which imports are awaited, or one for `require`. */
  readonly code: string;
  readonly scan: ScannedSource;
}

/** What is wrong with a source, and where; counted from 1. */
export interface SourceFault {
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

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
  readonly #transform: Transform;

  private constructor(transform: Transform) {
    this.#transform = transform;
  }

  /** Loads what it compiles with: some 60 ms, and 2 MB of code. */
  static async create(): Promise<Compiler> {
    const { createJiti } = await import('jiti/static');
    const { transform } = createJiti(import.meta.url, {
      fsCache: false,
      moduleCache: false,
    }).options;
    if (transform === undefined) throw new Error('jiti has no transform');
    return new Compiler(transform);
  }

  /**
   * @param file absolute; the name in stacks
   * @param mode whether `import` waits, as in an ES module, or `require` is used, which cannot
   * @throws SourceError
   */
  compile(file: string, text: string, mode: 'import' | 'require' = 'import'): Compiled {
    const key = `${mode} ${file}`;
    let kept = this.#kept.get(key);
    if (kept?.text !== text) {
      kept = { text, compiled: this.#compile(file, text, mode) };
      this.#kept.set(key, kept);
    }
    if (kept.compiled instanceof SourceError) throw kept.compiled;
    return kept.compiled;
  }

  /** Whether this very text of the file is compiled already. */
  knows({ file, text }: SourceText): boolean {
    return this.#kept.get(`import ${file}`)?.text === text;
  }

  /** Takes over what another compiler made of this text, as if it had been compiled here. */
  take({ file, text }: SourceText, made: Compiled | SourceFault): void {
    const compiled = 'code' in made ? made : new SourceError(made.message, made.line, made.column);
    this.#kept.set(`import ${file}`, { text, compiled });
  }

  /** Lets go of the files that are not there any more. */
  forget(isGone: (file: string) => boolean): void {
    for (const key of this.#kept.keys()) {
      if (isGone(key.slice(key.indexOf(' ') + 1))) this.#kept.delete(key);
    }
  }

  #compile(filename: string, text: string, mode: 'import' | 'require'): Compiled | SourceError {
    if (text.length > MAX_CODE) {
      return new SourceError(l10n.t('This file is too large to be run as code.'), 1, undefined);
    }
    let scan: ScannedSource | undefined;
    // Sees the tree before anything in it is changed.
    const plugin = (): object => ({
      pre: (file: unknown) => {
        const ast = isRecord(file) ? file.ast : undefined;
        scan = scanProgram(isRecord(ast) ? ast.program : undefined);
      },
      visitor: {},
    });
    const result = this.#transform({
      source: text.startsWith('\ufeff') ? text.slice(1) : text,
      filename,
      ts: /\.[cm]?ts$/.test(filename),
      async: mode === 'import',
      interopDefault: false,
      babel: { plugins: [plugin] },
    });
    const error: unknown = result.error;
    if (error !== undefined || scan === undefined) return sourceError(error);
    return { code: result.code, scan };
  }
}

/** Of Babel's message the first line, without the place, which is told besides. */
function sourceError(error: unknown): SourceError {
  const place = isRecord(error) ? error.loc : undefined;
  const { line, column } = isRecord(place) ? place : {};
  const message = errorMessage(error)
    .split('\n', 1)[0]
    ?.replace(/^\/?[^:]*: /, '')
    .replace(/ \(\d+:\d+\):?$/, '');
  return new SourceError(
    message ?? '',
    typeof line === 'number' ? line : undefined,
    typeof column === 'number' ? column + 1 : undefined,
  );
}

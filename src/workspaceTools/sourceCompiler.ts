// A program of its own, `dist/sourceCompiler.cjs`: what it holds takes 0.3 s to load, so it is loaded
// when a text has to be compiled. All that its results depend on is in it; see `compilerProgram.ts`.
import { createJiti } from 'jiti/static';
import { errorMessage } from '../base/errors';
import { isRecord } from '../mcp/wire';
import { type ScannedSource, scanProgram } from './scanProgram';

/** Whether `import` waits, as in an ES module, or `require` is used, which cannot. */
export type SourceMode = 'import' | 'require';

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

/** @param filename absolute; it stands in the code, as in stacks */
export type CompileSource = (
  filename: string,
  text: string,
  mode: SourceMode,
) => Compiled | SourceFault;

const { transform } = createJiti(process.execPath, { fsCache: false, moduleCache: false }).options;

let scanned: ScannedSource | undefined;

/** Sees the tree before anything in it is changed. Babel keeps what it makes of a plugin that stays the same. */
const scanning = (): object => ({
  pre: (file: unknown) => {
    const ast = isRecord(file) ? file.ast : undefined;
    scanned = scanProgram(isRecord(ast) ? ast.program : undefined);
  },
  visitor: {},
});
const BABEL_OPTIONS = {
  plugins: [scanning],
  // Nobody reads the comments of what comes out, and to find their nodes takes a twelfth of the time.
  parserOpts: { attachComment: false },
};

export const compileSource: CompileSource = (filename, text, mode) => {
  if (transform === undefined) throw new Error('jiti has no transform');
  const result = transform({
    // The first line may say by what the file is run; within a function that is none.
    source: text.replace(/^\ufeff/, '').replace(/^#!/, '//'),
    filename,
    ts: /\.[cm]?ts$/.test(filename),
    async: mode === 'import',
    interopDefault: false,
    babel: BABEL_OPTIONS,
  });
  const error: unknown = result.error;
  const scan = scanned;
  scanned = undefined;
  if (error !== undefined || scan === undefined) return faultOf(error);
  return { code: result.code, scan };
};

/** Of Babel's message the first line, without the place, which is told besides. */
function faultOf(error: unknown): SourceFault {
  const place = isRecord(error) ? error.loc : undefined;
  const { line, column } = isRecord(place) ? place : {};
  const message = errorMessage(error)
    .split('\n', 1)[0]
    ?.replace(/^\/?[^:]*: /, '')
    .replace(/ \(\d+:\d+\):?$/, '');
  return {
    message: message ?? '',
    line: typeof line === 'number' ? line : undefined,
    column: typeof column === 'number' ? column + 1 : undefined,
  };
}

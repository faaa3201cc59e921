// Compiles tool files beside the extension host's own thread; see `sharedCompiling.ts`. It ends by
// itself: nothing of it waits for anything.
import { parentPort, workerData } from 'node:worker_threads';
import {
  type Compiled,
  Compiler,
  SourceError,
  type SourceFault,
  type SourceText,
} from './compiler';
import { begin, type CompileAnswer, type CompileOrder } from './sharedCompiling';

// Started by `sharedCompiling.ts` in this shape.
const { sources, begun } = workerData as CompileOrder;
const compiler = await Compiler.create();

for (let index = sources.length - 1; index >= 0 && begin(begun, index); index -= 1) {
  const source = sources[index];
  if (source === undefined) break;
  parentPort?.postMessage({ index, made: make(source) } satisfies CompileAnswer);
}

function make({ file, text }: SourceText): Compiled | SourceFault | undefined {
  try {
    return compiler.compile(file, text);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { message, line, column } = error;
    // What has no place is no fault of the syntax: too deep for the stack here, or too large.
    return column === undefined ? undefined : { message, line, column };
  }
}

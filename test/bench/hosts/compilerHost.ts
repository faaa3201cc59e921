// The yardstick of row 25: what compiles, alone, over the same fifty texts, in a process that has done
// nothing before.
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { compilerProgram } from '../../../src/workspaceTools/compilerProgram';
import { type Density, toolFileSource } from './toolFileSources';

export interface CompilerReport {
  /** In milliseconds. */
  readonly compileMs: number;
}

const FILES = 50;
// One of the two that the bench gives.
const density = process.env.BENCH_DENSITY as Density;
const file = fileURLToPath(new URL('../../product/sourceCompiler.cjs', import.meta.url));

const start = performance.now();
const compile = compilerProgram(file).load();
for (let at = 0; at < FILES; at += 1) {
  compile(`/work/.patchbay/tools/t${at}.tool.ts`, toolFileSource(density, String(at)), 'import');
}
const report: CompilerReport = { compileMs: performance.now() - start };
process.stdout.write(`${JSON.stringify(report)}\n`);

// Row 25: what tool files cost: loading fifty, one that is saved, a thousand that are replaced.
// BENCH_DENSITY=dense has twice as much in each line. With BENCH_HOME the first only, in a folder that
// stays: the first run there writes the files, another is a later window. With BENCH_CACHE what V8 made
// of the compiler is taken from that file, as where tool files were compiled before.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { silentLogger } from '../../../src/base/logger';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter } from '../../../src/mcp/router';
import { compilerProgram } from '../../../src/workspaceTools/compilerProgram';
import { createWorkerHost } from '../../../src/workspaceTools/workerHost';
import { WORKER_LIMITS } from '../../../src/workspaceTools/workerOptions';
import { createWorkspaceTools } from '../../../src/workspaceTools/workspaceTools';
import { quantile } from '../statistics';
import { toolFileSource } from './toolFileSources';

export interface LoadReport {
  /** From trust to the last of fifty files, approved at once, in milliseconds. */
  readonly loadMs: number;
  /** From the person's yes to the same; what was approved before is not asked about. */
  readonly approvedMs?: number;
  /** Tools that are offered then. */
  readonly tools: number;
  /** Whether anything had to be compiled. */
  readonly hasCompiled: boolean;
  /** From the first save in a later window to the answer of the new version, in milliseconds. */
  readonly firstSaveMs?: number;
}

export interface ToolFilesReport extends LoadReport {
  /** From a save to the answer of the new version, 90 of 100, in milliseconds. */
  readonly saveMs: number;
  /** From a change on the disk, told by a watcher, to the same. */
  readonly changeMs: number;
  /** Growth of the heap over a thousand replaced versions, in MB. */
  readonly growthMb: number;
  /** The same over a hundred versions of a file that runs in a worker. */
  readonly workerGrowthMb: number;
  /** Threads of this process after that, over those before its first worker. */
  readonly workerThreads: number;
}

const FILES = 50;
const TIMES = 60;
const WARM_UP = 300;
const RELOADS = 1_000;
const WORKER_WARM_UP = 20;
const WORKER_RELOADS = 100;

const density = process.env.BENCH_DENSITY === 'dense' ? 'dense' : 'ordinary';
const given = process.env.BENCH_HOME;
if (given !== undefined) await mkdir(given, { recursive: true });
const home = await realpath(given ?? (await mkdtemp(path.join(tmpdir(), 'tool-files-'))));
const folder = path.join(home, 'work');
const fileOf = (at: number): string => path.join(folder, `.patchbay/tools/t${at}.tool.ts`);
await mkdir(path.dirname(fileOf(0)), { recursive: true });

function source(mark: string, more?: string): string {
  return toolFileSource(density, mark, more);
}

for (let at = 0; at < FILES; at += 1) {
  if (!existsSync(fileOf(at))) await writeFile(fileOf(at), source(String(at)));
}
const registry = new ServerRegistry();
const ours = (name: string): string =>
  fileURLToPath(new URL(`../../product/${name}`, import.meta.url));
const compilerFile = ours('sourceCompiler.cjs');
const compiler = compilerProgram(compilerFile, {
  cacheFile: process.env.BENCH_CACHE ?? path.join(home, 'compiler.cache'),
  failed: (error) => {
    throw error;
  },
});
let hasCompiled = false;
let approvedAt: number | undefined;
const tools = createWorkspaceTools({
  log: silentLogger,
  registry,
  folders: () => [{ name: 'work', path: folder }],
  isTrusted: () => true,
  isEnabled: () => true,
  storageFolder: path.join(home, 'storage'),
  approvalsFolder: path.join(home, 'approvals'),
  ask: () => {
    approvedAt = performance.now();
    return Promise.resolve('approve');
  },
  vscode: {},
  workspaceFolder: () => ({}),
  isAllowed: () => false,
  limits: () => ({ timeout: 60_000, maxResultChars: 50_000 }),
  compiler: {
    ...compiler,
    load: () => {
      hasCompiled = true;
      return compiler.load();
    },
  },
  worker: createWorkerHost({
    ...WORKER_LIMITS,
    workerFile: ours('toolWorker.js'),
    compilerFile,
    log: silentLogger,
    folderName: () => 'work',
    words: () => ({}),
  }),
});
const router = createRouter({
  registry,
  log: silentLogger,
  conversation: { id: 'b', cwd: folder },
});
let calls = 0;

async function call(name = 't0'): Promise<string> {
  calls += 1;
  const params = { name, arguments: {} };
  const message = { jsonrpc: '2.0', id: calls, method: 'tools/call', params };
  return JSON.stringify(await router.route('workspace', message, { requestId: String(calls) }));
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setImmediate(resolve));
}

async function replace(mark: string, tell: (file: string, text: string) => void): Promise<number> {
  const text = source(mark);
  await writeFile(fileOf(0), text);
  const start = performance.now();
  tell(fileOf(0), text);
  await until(async () => (await call()).includes(mark));
  return performance.now() - start;
}

async function workerReloads(): Promise<Pick<ToolFilesReport, 'workerGrowthMb' | 'workerThreads'>> {
  const file = path.join(folder, '.patchbay/tools/w.tool.ts');
  const threadsBefore = threads();
  let heapBefore = 0;
  for (let at = -WORKER_WARM_UP; at < WORKER_RELOADS; at += 1) {
    if (at === 0) heapBefore = heapMb();
    const mark = `worker ${at}.`;
    const text = source(mark, " isolation: 'worker',");
    await writeFile(file, text);
    tools.saved(file, text);
    await tools.settled();
    const answer = await call('w');
    if (!answer.includes(mark)) throw new Error(`Not the new version: ${answer}`);
  }
  const workerGrowthMb = heapMb() - heapBefore;
  await rm(file);
  tools.saved(file, undefined);
  await tools.settled();
  // An old version waits for a moment, and a thread that was ended needs one to go.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return { workerGrowthMb, workerThreads: threads() - threadsBefore };
}

/** Of this process; 0 where that cannot be told. */
function threads(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0;
}

function offered(): number {
  return registry.get('workspace')?.tools().length ?? 0;
}

async function end(what: LoadReport): Promise<never> {
  await tools.settled();
  await compiler.keep();
  tools.dispose();
  if (given === undefined) await rm(home, { recursive: true, force: true });
  process.stdout.write(`${JSON.stringify(what)}\n`);
  process.exit(0);
}

function heapMb(): number {
  // Code that was not used for some collections is let go of by the last of them.
  for (let round = 0; round < 12; round += 1) gc();
  return process.memoryUsage().heapUsed / 1_000_000;
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const start = performance.now();
await tools.refresh();
await until(() => registry.get('workspace')?.tools().length === FILES);
await until(async () => (await call()).includes('"0"'));
const loadedAt = performance.now();

const loaded: LoadReport = {
  loadMs: loadedAt - start,
  ...(approvedAt === undefined ? {} : { approvedMs: loadedAt - approvedAt }),
  tools: offered(),
  hasCompiled,
};
if (given !== undefined && loaded.hasCompiled) await end(loaded);
if (given !== undefined) {
  // As the editor tells it: what is saved was typed before.
  tools.expectChange(fileOf(0));
  const firstSaveMs = await replace('first save.', (file, text) => tools.saved(file, text));
  await end({ ...loaded, firstSaveMs });
}

const saves: number[] = [];
const changes: number[] = [];
for (let at = 0; at < TIMES; at += 1) {
  saves.push(await replace(`save ${at}.`, (file, text) => tools.saved(file, text)));
  changes.push(await replace(`change ${at}.`, (file) => tools.changedOnDisk(file)));
}
let before = 0;
for (let at = -WARM_UP; at < RELOADS; at += 1) {
  if (at === 0) before = heapMb();
  await replace(`reload ${at}.`, (file, text) => tools.saved(file, text));
}
const report: ToolFilesReport = {
  ...loaded,
  saveMs: quantile(saves, 0.9),
  changeMs: quantile(changes, 0.9),
  growthMb: heapMb() - before,
  ...(await workerReloads()),
};
await end(report);

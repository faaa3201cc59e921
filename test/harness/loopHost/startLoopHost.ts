import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../paths';

export interface LoopOrder {
  readonly folder: string;
  /** Of the window. */
  readonly storage: string;
  /** Of the workspace. */
  readonly approvals: string;
  /** Of what is known about loops, for all hosts of one world. */
  readonly loops: string;
  readonly watchFile: string;
}

export interface LoopReport {
  /** Files that an earlier process looped in. */
  readonly looped: readonly string[];
  /** Processes among them that still run. */
  readonly standing: readonly number[];
  readonly stack: readonly string[];
  /** The kind of each file's state, and of its faults. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  readonly isWatching: boolean;
  readonly log: readonly string[];
  /** Of the call that was ordered. */
  readonly answer?: string | undefined;
}

export interface LoopHost {
  readonly pid: number;
  /** What it said first. */
  readonly started: LoopReport;
  call(tool: string, input?: object): Promise<LoopReport>;
  /** Has the tool called, and waits for nothing. */
  order(tool: string, input?: object): void;
  /** As nobody can refuse it; resolves when it has ended. */
  kill(): Promise<void>;
}

export interface LoopWorld {
  readonly folder: string;
  readonly storage: string;
  readonly loops: string;
  /** @param storage in place of the world's own, as an editor does while a lost window holds that */
  start(storage?: string): Promise<LoopHost>;
  dispose(): Promise<void>;
}

/** A workspace folder, and processes that have its tool files loaded; see `loopProgram.ts`. */
export async function createLoopWorld(): Promise<LoopWorld> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay loops ü ')));
  // Below the project, so that packages are found.
  const out = await mkdtemp(path.join(inRoot('node_modules'), '.loops-'));
  const common = { bundle: true, platform: 'node', target: 'node20', outdir: out } as const;
  await Promise.all([
    build({
      ...common,
      entryPoints: { host: inRoot('test/harness/loopHost/loopProgram.ts') },
      format: 'esm',
      packages: 'external',
      outExtension: { '.js': '.mjs' },
    }),
    build({
      ...common,
      entryPoints: { loopWatch: inRoot('src/workspaceTools/loopWatchProgram.ts') },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
  ]);
  const folder = path.join(home, 'work');
  const storage = path.join(home, 'storage');
  const approvals = path.join(home, 'approvals');
  const loops = path.join(home, 'loops');
  // Also those that never say anything, since they loop from the start.
  const children = new Set<ChildProcess>();
  return {
    folder,
    storage,
    loops,
    start: (own = storage) => {
      const watchFile = path.join(out, 'loopWatch.cjs');
      const order: LoopOrder = { folder, storage: own, approvals, loops, watchFile };
      return startHost(path.join(out, 'host.mjs'), order, children);
    },
    dispose: async () => {
      for (const child of children) await kill(child);
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      await rm(out, { recursive: true, force: true });
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function startHost(
  program: string,
  order: LoopOrder,
  children: Set<ChildProcess>,
): Promise<LoopHost> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<LoopReport> => {
    const line = await once(lines, 'line');
    // Written by the host in this shape.
    return JSON.parse(String(line[0])) as LoopReport;
  };
  const write = (tool: string, input: object = {}): void => {
    child.stdin.write(`${JSON.stringify([tool, input])}\n`);
  };
  const started = await next();
  return {
    pid: child.pid ?? 0,
    started,
    call: (tool, input) => {
      const answer = next();
      write(tool, input);
      return answer;
    },
    order: write,
    kill: () => kill(child),
  };
}

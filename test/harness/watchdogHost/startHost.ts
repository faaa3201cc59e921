import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../paths';

export interface HostOrder {
  /** The watchdog's file. */
  readonly watchdog: string;
  readonly clis: readonly {
    readonly command: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** Those of a conversation, unless given. */
    readonly args?: readonly string[];
    /** Sent right after the start. */
    readonly prompt?: string;
    /** It is no agent but a server of tools. */
    readonly serves?: boolean;
  }[];
}

export interface HostReport {
  readonly clis: readonly number[];
  readonly watchdog: number | undefined;
  readonly log: readonly string[];
}

export interface WatchdogHost {
  readonly pid: number;
  /** Sends one order and resolves with what the host answers. */
  ask(order: 'start' | 'report' | 'close'): Promise<HostReport>;
  /** As nobody can refuse it. */
  kill(): void;
  dispose(): Promise<void>;
}

/** A plain process that holds agents as an extension host does; see `hostProgram.ts`. */
export async function startHost(clis: HostOrder['clis']): Promise<WatchdogHost> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay host ü '));
  await build({
    entryPoints: {
      host: inRoot('test/harness/watchdogHost/hostProgram.ts'),
      watchdog: inRoot('src/cli/watchdogProgram.ts'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    logLevel: 'warning',
  });
  const order: HostOrder = { watchdog: path.join(folder, 'watchdog.cjs'), clis };
  const child = spawn(process.execPath, [path.join(folder, 'host.cjs'), JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout });
  return {
    pid: child.pid ?? 0,
    ask: async (word) => {
      const answer = once(answers, 'line');
      child.stdin.write(`${word}\n`);
      // Written by the host in this shape.
      return JSON.parse(String((await answer)[0])) as HostReport;
    },
    kill: () => child.kill('SIGKILL'),
    dispose: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

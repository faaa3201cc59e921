import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Family } from './endFamily';
import { processGroup } from './processGroup';
import { FAMILY_MARK, startOf } from './processTable';
import { watchFamily } from './watchdog';

/** A program that is run for a short answer, such as `claude --version` or a login shell. */
export interface HelperProcess {
  readonly child: ChildProcess;
  /** Ends it with all that it started. Not for one that has ended: a daemon of it may be wanted. */
  end(): void;
}

export interface HelperOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How long one that was killed may take to be gone, in ms. */
const LIMIT_MS = 1000;

const running = new Set<HelperProcess>();

/** Starts one, with an open stdout and nothing else. Throws what `spawn` throws at once. */
export function startHelper(
  command: string,
  args: readonly string[],
  { env, cwd }: HelperOptions,
): HelperProcess {
  const mark = randomUUID();
  const child = spawn(command, args, {
    env: { ...env, [FAMILY_MARK]: mark },
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    // A session of its own: an interactive shell takes the terminal of its session.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  // It could not be started: its `error` event tells why.
  if (pid === undefined) return { child, end: () => undefined };
  const head = { pid, started: startOf(pid), mark };
  const watching = watchFamily(head);
  const helper: HelperProcess = {
    child,
    end: () => {
      child.stdout.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      processGroup(pid).signal('SIGKILL');
      void new Family(head).end({ graceMs: 0, limitMs: LIMIT_MS });
    },
  };
  running.add(helper);
  child.once('exit', () => {
    running.delete(helper);
    watching.dispose();
  });
  return helper;
}

/** Ends all that run, as when the extension is disabled; whoever waits for them goes on. */
export function endHelpers(): void {
  for (const helper of running) helper.end();
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Family } from './endFamily';
import { processGroup } from './processGroup';
import { FAMILY_MARK, startOf } from './processTable';
import { watchFamily } from './watchdog';

/** A server that was started, with all that it starts. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Closes its input, then makes it end, and what it has left. Resolves when all of it is gone. */
  end(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** From the end of its input to SIGTERM, and from there to SIGKILL, in ms. */
const INPUT_MS = 2_000;
const TERM_MS = 2_000;
/** What it has left: from SIGTERM to SIGKILL, and until that is given up, in ms. */
const GRACE_MS = 300;
const LIMIT_MS = 1_000;

/**
 * Starts a program that serves over its input and output. What it starts, as `npx` and a shell do,
 * ends with it, and should this process be killed all of it does.
 * Not for Windows, where a script such as `npx.cmd` cannot be started so.
 * @throws what `spawn` throws at once; its event `error` tells the rest
 */
export function startServerProcess({
  command,
  args,
  env,
  cwd,
}: ServerProcessOptions): ServerProcess {
  const mark = randomUUID();
  const child = spawn(command, args, {
    cwd,
    env: { ...env, [FAMILY_MARK]: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it started can be ended with it.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) return { child, end: () => Promise.resolve() };
  const head = { pid, started: startOf(pid), mark };
  const group = processGroup(pid);
  const family = new Family(head);
  const watching = watchFamily(head);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      // What it has left would go on without anybody to serve, and may hold its output open.
      void family.end({ graceMs: GRACE_MS, limitMs: LIMIT_MS }).then((outcome) => {
        // Without a list the group is all that is known of it.
        if (outcome === 'unknown') group.signal('SIGKILL');
        watching.dispose();
        resolve();
      });
    });
  });
  const end = async (): Promise<void> => {
    // While it runs it is seen who its children are.
    void family.remember();
    child.stdin.end();
    const ask = setTimeout(() => group.signal('SIGTERM'), INPUT_MS);
    const kill = setTimeout(() => group.signal('SIGKILL'), INPUT_MS + TERM_MS);
    await gone;
    clearTimeout(ask);
    clearTimeout(kill);
  };
  let ending: Promise<void> | undefined;
  return { child, end: () => (ending ??= end()) };
}

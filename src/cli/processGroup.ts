import { execFile } from 'node:child_process';

/**
 * Signals to a CLI and all that it started. On POSIX the CLI leads a process group of its own
 * (`detached`), so a grandchild is reached as well; on Windows `taskkill /T` walks the tree.
 */
export interface ProcessGroup {
  /** True when something was there to be signalled. */
  signal(name: 'SIGTERM' | 'SIGKILL'): boolean;
  isAlive(): boolean;
}

/** The group led by `pid`. The Windows half is by the book: it could not be tried where this was written. */
export function processGroup(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): ProcessGroup {
  return platform === 'win32' ? windowsTree(pid) : posixGroup(pid);
}

function posixGroup(pid: number): ProcessGroup {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      process.kill(-pid, signal);
      return true;
    } catch (error) {
      // EPERM: there is one, but it is not ours to signal. Anything else: none is left.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  };
  return { signal: send, isAlive: () => send(0) };
}

function windowsTree(pid: number): ProcessGroup {
  const isAlive = (): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  return {
    isAlive,
    signal: (name) => {
      const force = name === 'SIGKILL' ? ['/F'] : [];
      execFile('taskkill', ['/PID', String(pid), '/T', ...force], () => undefined);
      return isAlive();
    },
  };
}

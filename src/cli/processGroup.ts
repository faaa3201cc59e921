import { execFile } from 'node:child_process';

/**
 * Signals to a CLI that has not been collected yet, and to what is in its process group: as long as
 * it stands there, nobody else has its number. On POSIX it leads a group of its own (`detached`);
 * on Windows `taskkill /T` walks the tree. What left the group is a matter of `endFamily`.
 */
export interface ProcessGroup {
  /** True when something was there to be signalled. */
  signal(name: 'SIGTERM' | 'SIGKILL'): boolean;
}

/** The group led by `pid`. The Windows half is by the book: it could not be tried where this was written. */
export function processGroup(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): ProcessGroup {
  return { signal: (name) => (platform === 'win32' ? killTree(pid, name) : killGroup(pid, name)) };
}

function killGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    process.kill(-pid, name);
    return true;
  } catch (error) {
    // EPERM: there is one, but it is not ours to signal. Anything else: none is left.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function killTree(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  const { file, args } = taskkill(pid, name);
  execFile(file, args, { windowsHide: true }, () => undefined);
  return true;
}

/** The command that ends a process and all below it on Windows; without force it only asks. Pure. */
export function taskkill(
  pid: number,
  name: 'SIGTERM' | 'SIGKILL',
): { readonly file: string; readonly args: readonly string[] } {
  const force = name === 'SIGKILL' ? ['/F'] : [];
  return { file: 'taskkill', args: ['/PID', String(pid), '/T', ...force] };
}

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that ended but was not collected counts as gone: a container may have no reaper (Linux). */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** For each thing that is waited for: a busy machine is slow, and a wait costs nothing. */
const PATIENCE_MS = 60_000;

/** Resolves when none of them runs. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const began = performance.now();
  while (pids.some(isRunning)) {
    if (performance.now() - began > PATIENCE_MS) {
      throw new Error(`still running: ${pids.filter(isRunning).map(commandOf).join(', ')}`);
    }
    await delay(20);
  }
}

/** Resolves when there is none of them any more, also of those that came meanwhile. */
export async function untilNone(pids: () => readonly number[]): Promise<void> {
  for (let left = pids(); left.length > 0; left = pids()) await untilGone(left);
}

/** The processes with this variable in the environment that they were started with (Linux). */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      return environment.includes(variable) && isRunning(Number(name)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Of `/proc/PID/stat`: the process group and the session (Linux). */
export function groupAndSession(pid: number): readonly [group: number, session: number] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [Number(fields[2]), Number(fields[3])];
}

export function commandOf(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return String(pid);
  }
}

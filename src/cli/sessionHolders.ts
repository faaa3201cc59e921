import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import { oneSpaced, startOf as startOfProcess } from './processTable';

/**
 * Whether another process of the CLI has this session open, such as one in a terminal or of another
 * window: what is said to the one the other does not hear. Fact (2.1.332): each process writes
 * `sessions/<pid>.json` into its configuration folder, and takes it away at an orderly end.
 * Never rejects: what cannot be told counts as no.
 */
export async function isHeldElsewhere(
  configFolder: string,
  sessionId: string,
  startOf: System['startOf'] = startOfProcess,
): Promise<boolean> {
  const folder = path.join(configFolder, 'sessions');
  const names = await readdir(folder).catch(() => []);
  const ours = await readlink('/proc/self/ns/pid').catch(() => undefined);
  for (const name of names) {
    if (!/^\d+\.json$/.test(name)) continue;
    const holder = await readHolder(path.join(folder, name));
    if (holder?.sessionId === sessionId && isRunning(holder, { ours, startOf })) return true;
  }
  return false;
}

interface System {
  /** The numbers of processes that are ours; undefined where there is one kind only. */
  readonly ours: string | undefined;
  readonly startOf: (pid: number) => string | undefined;
}

interface Holder {
  readonly pid: number;
  readonly sessionId: string;
  /** When the process started, in the system's own words; undefined where it was not written. */
  readonly start: string | undefined;
  /** Which processes its number is one of: in a container others have the same numbers. */
  readonly domain: string | undefined;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isJsonObject(value)) return undefined;
    const { pid, sessionId, procStart, pidDomain } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    if (typeof sessionId !== 'string') return undefined;
    const text = (one: unknown): string | undefined => (typeof one === 'string' ? one : undefined);
    return { pid, sessionId, start: text(procStart), domain: text(pidDomain) };
  } catch {
    // Half written, or gone meanwhile.
    return undefined;
  }
}

/**
 * One that was killed leaves its file, and its number may be given to another program. Fact (2.1.332):
 * the CLI writes when it started as `/proc` or, elsewhere, `ps` says it.
 */
function isRunning({ pid, start, domain }: Holder, { ours, startOf }: System): boolean {
  if (domain !== undefined && ours !== undefined && !domain.endsWith(ours)) return false;
  if (start !== undefined) {
    const now = startOf(pid);
    // Where that cannot be asked, as on Windows, it is as if it had not been written.
    if (now !== undefined) return now === oneSpaced(start);
  }
  if (process.platform === 'linux') return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

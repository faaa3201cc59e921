import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processes of this machine, as far as they are needed to tell which of them an agent has
 * started. Linux reads /proc (a slim image has no `ps`); other Unixes ask `ps`.
 */

/** The variable that marks a CLI and, inherited, all that it starts. Its value is a uuid. */
export const FAMILY_MARK = 'PATCHBAY_FAMILY';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  /** When it started, in the system's own words: with the pid it names one process for good. */
  readonly started: string;
  /** Ended, and not collected by its parent yet. */
  readonly ended: boolean;
  /** The value of {@link FAMILY_MARK} that it was started with, where that can be read. */
  readonly mark: string | undefined;
}

/**
 * All processes, at one moment; undefined where they cannot be listed. Those that started before
 * `since` are listed without their mark, which costs a look into each.
 */
export async function readProcessTable(since?: string): Promise<readonly ProcessRow[] | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') return readProc(since === undefined ? 0 : Number(since));
  return parsePsTable(await runPs(['-A']));
}

/** When this process started; undefined when it is gone or that cannot be told. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return readStat(pid)?.started;
  if (process.platform === 'win32') return undefined;
  try {
    // At once: a child that has not been collected yet keeps its number.
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: PS_ENVIRONMENT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return printed.trim() === '' ? undefined : oneSpaced(printed);
  } catch {
    return undefined;
  }
}

/** All at once, without giving way: what is signalled next must still be what was read. */
function readProc(since: number): ProcessRow[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  const rows = names.flatMap((name) => {
    const row = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (row === undefined) return [];
    return [Number(row.started) < since ? row : { ...row, mark: readMark(row.pid) }];
  });
  return rows.length === 0 ? undefined : rows;
}

function readStat(pid: number): ProcessRow | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It ended while we looked.
    return undefined;
  }
}

function readMark(pid: number): string | undefined {
  try {
    return markIn(readFileSync(`/proc/${pid}/environ`, 'latin1'), '\0');
  } catch {
    // Another person's, or gone.
    return undefined;
  }
}

/** One line of `/proc/PID/stat`; see proc(5) for its fields. */
export function parseStat(line: string): ProcessRow | undefined {
  // The name in brackets may hold anything: the fields begin after its last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '', group = ''] = fields;
  const started = fields[19];
  if (started === undefined) return undefined;
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    started,
    ended: state === 'Z' || state === 'X',
    mark: undefined,
  };
}

/** By the clock of one zone: by that of the machine a start would be another after the clocks have changed. */
const PS_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
/** `-E` makes the `ps` of macOS add the environment to the command; not tried there. */
const PS_COLUMNS = ['-E', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

function runPs(which: readonly string[]): Promise<string> {
  const options = { env: PS_ENVIRONMENT, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('ps', [...which, ...PS_COLUMNS], options, (_error, stdout) => {
      resolve(stdout);
    });
  });
}

const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s(.*)$/;

/** What `ps` printed, in the columns above; undefined when it printed no row. */
export function parsePsTable(output: string): readonly ProcessRow[] | undefined {
  const rows = output.split('\n').flatMap((line): ProcessRow[] => {
    const parts = PS_ROW.exec(line);
    if (parts === null) return [];
    const [, pid, parent, group, state = '', started = '', command = ''] = parts;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        started: oneSpaced(started),
        ended: state.startsWith('Z'),
        mark: markIn(command, ' '),
      },
    ];
  });
  return rows.length === 0 ? undefined : rows;
}

function markIn(environment: string, separator: string): string | undefined {
  const start = `${FAMILY_MARK}=`;
  return environment
    .split(separator)
    .find((variable) => variable.startsWith(start))
    ?.slice(start.length);
}

/** The day of the month is padded. */
export function oneSpaced(words: string): string {
  return words.trim().replace(/\s+/g, ' ');
}

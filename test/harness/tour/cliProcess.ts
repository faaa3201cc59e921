import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The CLI that the extension host below `serverPid` started; throws unless there is exactly one. */
export async function findCliPid(serverPid: number, cliPath: string): Promise<number> {
  return onlyCli(await listProcesses(), serverPid, cliPath);
}

/** As {@link findCliPid}, among the given processes. */
export function onlyCli(rows: readonly ProcessRow[], root: number, cliPath: string): number {
  const running = descendantsOf(root, rows).filter((row) => row.command.startsWith(cliPath));
  const pids = new Set(running.map((row) => row.pid));
  // The CLI starts its own executable again for helpers: the topmost one is meant.
  const topmost = running.filter((row) => !pids.has(row.parent));
  const [first] = topmost;
  if (first === undefined || topmost.length > 1) {
    throw new Error(`tour: expected one CLI below the VS Code server, found ${topmost.length}`);
  }
  return first.pid;
}

function descendantsOf(root: number, rows: readonly ProcessRow[]): ProcessRow[] {
  const known = new Set([root]);
  const found: ProcessRow[] = [];
  // A pass for each level: nobody promises that parents come first.
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows) {
      if (!known.has(row.parent) || known.has(row.pid)) continue;
      known.add(row.pid);
      found.push(row);
      grown = true;
    }
  }
  return found;
}

/** From /proc where there is one, since a slim Debian has no `ps`. */
function listProcesses(): Promise<ProcessRow[]> {
  return process.platform === 'linux' ? readProc() : readPs();
}

async function readProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(pids.map(readProcRow));
  return rows.filter((row) => row !== undefined);
}

async function readProcRow(pid: string): Promise<ProcessRow | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name in brackets may hold anything: the fields begin after its last bracket.
    const parent = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .at(1);
    return { pid: Number(pid), parent: Number(parent), command: command.replaceAll('\0', ' ') };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}

async function readPs(): Promise<ProcessRow[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const parts = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (parts === null) return [];
    return [{ pid: Number(parts[1]), parent: Number(parts[2]), command: parts[3] ?? '' }];
  });
}

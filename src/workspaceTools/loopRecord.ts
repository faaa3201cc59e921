import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What is written while the extension host stands still: after its end nobody could tell any more. */
export interface LoopRecord {
  /** Of the process that stood still. */
  readonly pid: number;
  /** Of its window; see {@link LoopQuestion}. */
  readonly workspace: string;
  /** Absolute paths of the tool files that were at work, as far as that is known. */
  readonly files: readonly string[];
  /** The lines of the stack; empty where it could not be read. */
  readonly stack: readonly string[];
  readonly seconds: number;
}

/** How long a record waits for its window. */
const KEPT_MS = 30 * 24 * 3_600_000;
const NAME = /^loop-(\d+)\.json$/;

/** At once: the next moment may be the end. */
export function writeLoopRecord(folder: string, record: LoopRecord): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(recordFile(folder, record.pid), JSON.stringify(record));
}

export function removeLoopRecord(folder: string, pid: number): void {
  rmSync(recordFile(folder, pid), { force: true });
  rmSync(orderFile(folder, pid), { force: true });
}

/** A loop of another process of this machine. */
export interface FoundLoop extends LoopRecord {
  /** It goes on. An editor that is far away does not always end its extension host. */
  readonly isRunning: boolean;
}

export interface LoopQuestion {
  /** What tells the workspace of the window from others: only that has the approvals to take one back. */
  readonly workspace: string;
  /** Whether a file is one of its folders'. */
  readonly isOurs: (file: string) => boolean;
  readonly isRunning?: (pid: number) => boolean;
}

/** Takes the records of processes that have ended; those of others that still stand are told and stay. */
export function takeLoopRecords(
  folder: string,
  { workspace, isOurs, isRunning = isProcess }: LoopQuestion,
): readonly FoundLoop[] {
  const found: FoundLoop[] = [];
  for (const name of namesIn(folder)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isNaN(pid)) continue;
    const file = path.join(folder, name);
    const record = tryReadRecord(file);
    const runs = pid !== process.pid && !isFromEarlierStart(file) && isRunning(pid);
    if (record !== undefined && runs) {
      if (record.files.some(isOurs)) found.push({ ...record, isRunning: true });
      continue;
    }
    if (record?.workspace === workspace) found.push({ ...record, isRunning: false });
    else if (!isOld(file)) continue;
    rmSync(file, { force: true });
    rmSync(orderFile(folder, pid), { force: true });
  }
  return found;
}

/** Has the watcher of a process that stands still end it: only that process itself can be meant. */
export function orderEnd(folder: string, pid: number): void {
  writeFileSync(orderFile(folder, pid), '');
}

export function isEndOrdered(folder: string, pid: number): boolean {
  return existsSync(orderFile(folder, pid));
}

function orderFile(folder: string, pid: number): string {
  return path.join(folder, `end-${pid}`);
}

/** Written before the machine was started: its number is that of another process by now. */
function isFromEarlierStart(file: string): boolean {
  try {
    return statSync(file).mtimeMs < Date.now() - os.uptime() * 1_000;
  } catch {
    return false;
  }
}

/** Of a workspace that is not opened any more, or damaged. */
function isOld(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > KEPT_MS;
  } catch {
    return true;
  }
}

function recordFile(folder: string, pid: number): string {
  return path.join(folder, `loop-${pid}.json`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Written by ours, but perhaps not to its end. */
function tryReadRecord(file: string): LoopRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, workspace, files, stack, seconds } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof workspace !== 'string') return undefined;
    if (!isTexts(files) || !isTexts(stack)) return undefined;
    return { pid, workspace, files, stack, seconds: typeof seconds === 'number' ? seconds : 0 };
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There, but not ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What is written while the extension host stands still: after its end nobody could tell any more. */
export interface LoopRecord {
  /** Of the process that stood still. */
  readonly pid: number;
  /** Absolute paths of the tool files that were at work, as far as that is known. */
  readonly files: readonly string[];
  /** The lines of the stack; empty where it could not be read. */
  readonly stack: readonly string[];
  readonly seconds: number;
}

const NAME = /^loop-(\d+)\.json$/;

/** At once: the next moment may be the end. */
export function writeLoopRecord(folder: string, record: LoopRecord): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(recordFile(folder, record.pid), JSON.stringify(record));
}

export function removeLoopRecord(folder: string, pid: number): void {
  rmSync(recordFile(folder, pid), { force: true });
}

/** Takes the records of processes that have ended. Those of a window that still runs are its own. */
export function takeLoopRecords(folder: string, isRunning = isProcess): readonly LoopRecord[] {
  const records: LoopRecord[] = [];
  for (const name of namesIn(folder)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
    const record = tryReadRecord(path.join(folder, name));
    if (record !== undefined) records.push(record);
    rmSync(path.join(folder, name), { force: true });
  }
  return records;
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
    const { pid, files, stack, seconds } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || !isTexts(files) || !isTexts(stack)) return undefined;
    return { pid, files, stack, seconds: typeof seconds === 'number' ? seconds : 0 };
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

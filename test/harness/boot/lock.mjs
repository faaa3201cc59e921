// A lock between processes that outlives none of them: a file that names its owner.
// @ts-check
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {{ pid: number, started: string, token: string }} Owner */

const POLL_MS = 100;
/** Taking over a dead owner's lock lasts microseconds: a guard this old was left by a crash. */
const GUARD_MAX_AGE_MS = 10_000;

/**
 * Runs `work` while holding the lock `file`, and waits for it as long as its owner lives.
 *
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal }} [options] `onWait` is called
 *   once, if there is somebody to wait for.
 * @returns {Promise<T>}
 */
export async function withLock(file, work, options = {}) {
  const release = await acquire(file, options);
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * @param {string} file
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal }} options
 * @returns {Promise<() => void>}
 */
async function acquire(file, { onWait, signal }) {
  mkdirSync(path.dirname(file), { recursive: true });
  const owner = describeSelf();
  let told = false;
  while (!createWhole(file, owner)) {
    const other = readOwner(file);
    if (other === undefined || !isAlive(other)) {
      takeAway(file);
      continue;
    }
    if (!told) onWait?.(other.pid);
    told = true;
    await delay(POLL_MS, undefined, { signal });
  }
  const removeOnExit = () => removeIfOwn(file, owner);
  process.once('exit', removeOnExit);
  return () => {
    process.off('exit', removeOnExit);
    removeIfOwn(file, owner);
  };
}

/**
 * Creates the file with its content in one step, so that nobody can read half a lock.
 *
 * @param {string} file @param {Owner} owner @returns {boolean} False if the file exists.
 */
function createWhole(file, owner) {
  const draft = `${file}.${owner.token}`;
  writeFileSync(draft, JSON.stringify(owner));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of a dead owner. Two may see it dead at once; without the guard the slower one
 * would remove the lock that the faster one has taken since.
 *
 * @param {string} file
 */
function takeAway(file) {
  const guard = `${file}.takeover`;
  if (!createWhole(guard, describeSelf())) {
    const age = ageOf(guard);
    if (age !== undefined && age > GUARD_MAX_AGE_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    const owner = readOwner(file);
    if (owner === undefined || !isAlive(owner)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** @param {string} file @returns {number | undefined} Milliseconds since the file was written. */
function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

/** @param {string} file @param {Owner} owner */
function removeIfOwn(file, owner) {
  if (readOwner(file)?.token === owner.token) rmSync(file, { force: true });
}

/** @param {string} file @returns {Owner | undefined} Undefined if missing or not a lock of ours. */
function readOwner(file) {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(value?.pid) && value.pid > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Owner} */
function describeSelf() {
  return { pid: process.pid, started: startTime(process.pid), token: randomUUID() };
}

/** @param {Owner} owner @returns {boolean} */
function isAlive(owner) {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM means: there is such a process, of another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  // The number may have been given to another process since.
  const started = startTime(owner.pid);
  return started === '' || owner.started === '' || started === owner.started;
}

/**
 * When a process was started, in ticks since boot, from Linux' /proc/PID/stat; '' elsewhere.
 *
 * @param {number} pid @returns {string}
 */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** @param {unknown} error @returns {unknown} */
function errorCode(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

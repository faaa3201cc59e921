import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { withLock } from '../../harness/boot/lock.mjs';
import { inRoot } from '../../harness/paths';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay lock '));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A number that no process has: that of one that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a lock between processes', () => {
  it('lets one in at a time, and leaves nothing behind', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'deep', 'x.lock');
      let inside = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      };
      await Promise.all([1, 2, 3].map(() => withLock(file, work)));
      assert.equal(most, 1);
      assert.deepEqual(await readdir(path.dirname(file)), []);
    }));

  it('is let go of when the work throws', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      const failing = withLock(file, () => {
        throw new Error('broken');
      });
      await assert.rejects(failing, /broken/);
      assert.equal(await withLock(file, () => 'again'), 'again');
    }));

  it('waits for an owner that lives and says for whom', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD, file], {
        env: { ...process.env, LOCK_MODULE: inRoot('test/harness/boot/lock.mjs') },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(holder.stdout, 'data');
      const waited: number[] = [];
      const gotIt = withLock(file, () => existsSync(`${file}.done`), {
        onWait: (pid) => {
          waited.push(pid);
          holder.stdin.end();
        },
      });
      assert.equal(await gotIt, true, 'the holder was not done yet');
      assert.deepEqual(waited, [holder.pid]);
    }));

  it('is taken over when its owner was killed', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD, file], {
        env: { ...process.env, LOCK_MODULE: inRoot('test/harness/boot/lock.mjs') },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(holder.stdout, 'data');
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      assert.equal(existsSync(file), true);
      assert.equal(await withLock(file, () => 'mine'), 'mine');
    }));

  it('is taken over when its number was given to another process since', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      // Ourselves, but started at another time: only Linux tells, elsewhere a dead one stands in.
      const pid = process.platform === 'linux' ? process.pid : await deadPid();
      await writeFile(file, JSON.stringify({ pid, started: '1', token: 'old' }));
      assert.equal(await withLock(file, () => 'mine'), 'mine');
    }));

  it('is taken over when its file is not a lock', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      await writeFile(file, '{"pid":');
      assert.equal(await withLock(file, () => 'mine'), 'mine');
    }));

  it('of a dead owner goes to one of many that want it at once', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      await writeFile(file, JSON.stringify({ pid: await deadPid(), started: '', token: 'old' }));
      const log = path.join(folder, 'log');
      await writeFile(log, '');
      const children = [1, 2, 3, 4].map(() =>
        spawn(process.execPath, ['--input-type=module', '-e', ENTER, file, log], {
          env: { ...process.env, LOCK_MODULE: inRoot('test/harness/boot/lock.mjs') },
          stdio: ['ignore', 'ignore', 'inherit'],
        }),
      );
      await Promise.all(children.map((child) => once(child, 'exit')));
      assert.equal(await readFile(log, 'utf8'), 'in out '.repeat(4));
    }));

  it('is not held up by a takeover that was cut off', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      await writeFile(file, JSON.stringify({ pid: await deadPid(), started: '', token: 'old' }));
      await writeFile(`${file}.takeover`, '{}');
      const longAgo = new Date(Date.now() - 60_000);
      await utimes(`${file}.takeover`, longAgo, longAgo);
      assert.equal(await withLock(file, () => 'mine'), 'mine');
    }));
});

/** Holds the lock until stdin ends. */
const HOLD = `
import { writeFileSync } from 'node:fs';
const { withLock } = await import('file://' + encodeURI(process.env.LOCK_MODULE));
const file = process.argv[1];
await withLock(file, async () => {
  console.log('in');
  for await (const _ of process.stdin);
  writeFileSync(file + '.done', '');
});
`;

/** Says when it is in and out. */
const ENTER = `
import { appendFileSync } from 'node:fs';
const { withLock } = await import('file://' + encodeURI(process.env.LOCK_MODULE));
const [, file, log] = process.argv;
await withLock(file, async () => {
  appendFileSync(log, 'in ');
  await new Promise((resolve) => setImmediate(resolve));
  appendFileSync(log, 'out ');
});
`;

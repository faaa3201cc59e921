import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startOf } from '../../../src/cli/processTable';
import { isHeldElsewhere } from '../../../src/cli/sessionHolders';

const SESSION = '11111111-2222-3333-4444-555555555555';

test('a session is held by a process that runs, and by nothing that only looks like one', async (t) => {
  const config = await mkdtemp(path.join(tmpdir(), 'holders '));
  t.after(() => rm(config, { recursive: true, force: true }));
  assert.equal(await isHeldElsewhere(config, SESSION), false, 'no folder');
  const folder = path.join(config, 'sessions');
  await mkdir(folder);
  const { pid } = process;
  const domain = await readlink('/proc/self/ns/pid').catch(() => undefined);
  const mine = {
    ...{ pid, sessionId: SESSION, procStart: startOf(pid) ?? '1' },
    ...(domain === undefined ? {} : { pidDomain: `linux:0123:${domain}` }),
  };
  const isHeld = async (file: string, content: unknown): Promise<boolean> => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(path.join(folder, file), text);
    const found = await isHeldElsewhere(config, SESSION);
    await rm(path.join(folder, file));
    return found;
  };
  assert.equal(await isHeld('1.json', mine), true);
  const none: Readonly<Record<string, unknown>> = {
    'another session': { ...mine, sessionId: SESSION.replace('1', '2') },
    'half written': JSON.stringify(mine).slice(0, -5),
    empty: '',
    'not an object': [mine],
    'a number that is none': { ...mine, pid: String(pid) },
    'a number that stands for others': { ...mine, pid: -1 },
    'all of a group': { ...mine, pid: 0 },
  };
  for (const [what, content] of Object.entries(none)) {
    assert.equal(await isHeld('1.json', content), false, what);
  }
  assert.equal(await isHeld('1.abc.key', mine), false, 'a file of another kind');
  if (process.platform !== 'linux') return;
  assert.equal(await isHeld('1.json', { ...mine, procStart: '1' }), false, 'the number of another');
  assert.equal(await isHeld('1.json', { ...mine, pidDomain: 'linux:0123:pid:[1]' }), false);
});

test('on a system without /proc the number of another process is told by its start, as `ps` pads it', async (t) => {
  const config = await mkdtemp(path.join(tmpdir(), 'holders '));
  t.after(() => rm(config, { recursive: true, force: true }));
  await mkdir(path.join(config, 'sessions'));
  const { pid } = process;
  // As the CLI writes it there, in the words of `ps` by the clock of UTC.
  const mine = { pid, sessionId: SESSION, procStart: 'Tue Dec  1 00:08:32 2026' };
  await writeFile(path.join(config, 'sessions', '1.json'), JSON.stringify(mine));
  const isHeld = (start: string | undefined) => isHeldElsewhere(config, SESSION, () => start);
  assert.equal(await isHeld('Tue Dec 1 00:08:32 2026'), true);
  assert.equal(await isHeld('Tue Dec 1 00:08:33 2026'), false);
  if (process.platform === 'linux') return;
  assert.equal(await isHeld(undefined), true, 'it runs, and no more can be told');
});

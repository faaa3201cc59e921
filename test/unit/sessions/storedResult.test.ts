import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readStoredResult } from '../../../src/sessions/storedResult';
import { answer, call, CWD, prompt, result, session, SESSION } from './sessionFixture';

const PREVIEW = '<persisted-output>\nOutput too large';

test('the whole result of a call is found in the file, also behind a broken line', async (t) => {
  const { configFolder } = await session(t, [
    prompt('u1', null, 'one'),
    answer('a1', 'u1', call('t1')),
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"',
    result('r1', 'a1', 't1', 'z'.repeat(500_000)),
    result('r2', 'a1', 't2', PREVIEW, { toolUseResult: { stdout: 'y'.repeat(1000) } }),
  ]);
  const of = (id: string) => readStoredResult({ configFolder, cwd: CWD, sessionId: SESSION }, id);
  assert.equal((await of('t1'))?.length, 500_000);
  assert.equal(await of('t2'), 'y'.repeat(1000));
  assert.equal(await of('t3'), undefined);
  const none = { configFolder, cwd: CWD, sessionId: SESSION.replace('1', '2') };
  assert.equal(await readStoredResult(none, 't1'), undefined);
});

test('what the CLI wrote into a file of its own is read from there, and from nowhere else', async (t) => {
  const secret = path.join(path.dirname((await session(t, [])).configFolder), 'patchbay-other.txt');
  const outputs = (configFolder: string) =>
    path.join(configFolder, 'projects', CWD.replace(/[^A-Za-z0-9]/g, '-'), SESSION, 'tool-results');
  const row = (id: string, file: string) =>
    result(`r${id}`, 'a1', id, PREVIEW, {
      toolUseResult: { stdout: '', persistedOutputPath: file },
    });
  const { configFolder, file } = await session(t, [prompt('u1', null, 'one')]);
  const folder = outputs(configFolder);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'x.txt'), 'all of it');
  await writeFile(secret, 'not yours');
  t.after(() => rm(secret));
  const lines = [
    row('t1', path.join(folder, 'x.txt')),
    row('t2', secret),
    row('t3', path.join(folder, '..', '..', '..', '..', '..', path.basename(secret))),
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const of = (id: string) => readStoredResult({ configFolder, cwd: CWD, sessionId: SESSION }, id);
  assert.equal(await of('t1'), 'all of it');
  assert.equal(await of('t2'), PREVIEW);
  assert.equal(await of('t3'), PREVIEW);
});

test("of a fork the whole of an output is read from the original's folder", async (t) => {
  const { configFolder, folder, file } = await session(t, [prompt('u1', null, 'one')]);
  const original = path.join(folder, SESSION.replace('1', '2'));
  const row = (id: string, of: string) =>
    result(`r${id}`, 'a1', id, PREVIEW, { toolUseResult: { persistedOutputPath: of } });
  const lines = [];
  for (const [id, name] of Object.entries({ t1: 'tool-results', t2: 'notes' })) {
    await mkdir(path.join(original, name), { recursive: true });
    await writeFile(path.join(original, name, 'x.txt'), 'all of it');
    lines.push(row(id, path.join(original, name, 'x.txt')));
  }
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const of = (id: string) => readStoredResult({ configFolder, cwd: CWD, sessionId: SESSION }, id);
  assert.deepEqual([await of('t1'), await of('t2')], ['all of it', PREVIEW]);
});

test('results of subagents are found in their own files', async (t) => {
  const { configFolder, file } = await session(t, [prompt('u1', null, 'one')]);
  const folder = path.join(file.replace(/\.jsonl$/, ''), 'subagents');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'agent-a1.jsonl'),
    JSON.stringify(result('r1', 'a1', 's1', 'from below')),
  );
  const key = { configFolder, cwd: CWD, sessionId: SESSION };
  assert.equal(await readStoredResult(key, 's1'), 'from below');
});

test('an output that is too large for any editor is not read at all', async (t) => {
  const { configFolder, file } = await session(t, [prompt('u1', null, 'one')]);
  const folder = path.join(file.replace(/\.jsonl$/, ''), 'tool-results');
  await mkdir(folder, { recursive: true });
  const output = path.join(folder, 'big.txt');
  await writeFile(output, '');
  // It takes no room on the disk.
  await truncate(output, 1_500_000_000);
  const row = result('r', 'u1', 't', PREVIEW, { toolUseResult: { persistedOutputPath: output } });
  await appendFile(file, `${JSON.stringify(row)}\n`);
  const before = process.memoryUsage().rss;
  const text = await readStoredResult({ configFolder, cwd: CWD, sessionId: SESSION }, 't');
  assert.equal(text, PREVIEW);
  assert.ok(process.memoryUsage().rss - before < 300_000_000);
});

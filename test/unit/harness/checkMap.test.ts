import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { inRoot } from '../../harness/paths';

/** Runs the last step of `npm test` over the results of these suites. */
async function checkMap(t: TestContext, suites: readonly string[], grep = '') {
  const logs = await mkdtemp(path.join(tmpdir(), 'patchbay map '));
  t.after(() => rm(logs, { recursive: true, force: true }));
  for (const suite of suites) {
    const result = JSON.stringify({ title: 'a test of no report', ok: true });
    await writeFile(path.join(logs, `${suite}.jsonl`), `${result}\n`);
  }
  const args = [inRoot('test/harness/checkMap.mjs'), '--logs', logs];
  const env = { ...process.env, PATCHBAY_HOST_GREP: grep };
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, stdout };
}

test('a run of no suite at all is a failure of the map', async (t) => {
  const { status, stdout } = await checkMap(t, []);
  assert.equal(status, 1);
  assert.match(stdout, /^no suite has run$/m);
});

test('a suite in which the tests of its reports did not pass is a failure', async (t) => {
  const { status, stdout } = await checkMap(t, ['host']);
  assert.equal(status, 1);
  assert.match(stdout, /" did not pass in host$/m);
});

test("a choice of the host's tests alone is held against nothing", async (t) => {
  const { status, stdout } = await checkMap(t, ['host'], 'read_buffer');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^0 of \d+ rows /m);
});

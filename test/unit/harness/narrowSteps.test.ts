import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { allSteps, type Step } from '../../harness/boot/steps.mjs';
import { inRoot } from '../../harness/paths';

interface Built {
  readonly step: Step;
  readonly files: readonly string[];
}

/** The suite of the packed product as it is built, each file with a text of its own. */
async function built(t: TestContext): Promise<Built> {
  const run = await mkdtemp(path.join(tmpdir(), 'patchbay steps '));
  t.after(() => rm(run, { recursive: true }));
  const steps = allSteps({ root: inRoot('.'), run, results: (name) => path.join(run, name) });
  const step = steps.find(({ name }) => name === 'e2e');
  assert.ok(step);
  const files = step.args.filter((arg) => arg.endsWith('.e2e.mjs'));
  assert.ok(files.length > 2);
  for (const [at, file] of files.entries()) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `scene("scene ${at}.", run);`);
  }
  return { step, files };
}

function chosen({ step, files }: Built, failures: Parameters<NonNullable<Step['narrow']>>[0]) {
  const args = step.narrow?.(failures)?.args;
  return args && files.map((file, at) => (args.includes(file) ? at : -1)).filter((at) => at >= 0);
}

test('of a suite of files only those run again in which something failed', async (t) => {
  const suite = await built(t);
  const failed = { title: 'anything', ok: false, file: suite.files[1]?.replace(/mjs$/, 'ts') };
  assert.deepEqual(chosen(suite, [failed]), [1]);
});

test('a test of a function that several files share is found by its title', async (t) => {
  const suite = await built(t);
  const shared = { ok: false, file: inRoot('test/harness/product/scene.ts') };
  assert.deepEqual(
    chosen(suite, [
      { ...shared, title: 'scene 2.' },
      { ...shared, title: 'scene 0.' },
    ]),
    [0, 2],
  );
});

test('where one cannot be found the whole runs again', async (t) => {
  const suite = await built(t);
  assert.equal(chosen(suite, [{ title: 'the suite ended with code 1', ok: false }]), undefined);
});

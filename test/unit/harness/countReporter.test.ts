import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { inRoot } from '../../harness/paths';

/** Runs a test file with the reporter, and reads what it wrote. */
function report(source: string, ...flags: string[]): { title: string; ok: boolean }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay report '));
  try {
    const file = path.join(folder, 'x.test.mjs');
    const out = path.join(folder, 'out');
    writeFileSync(file, `import { describe, it, test } from 'node:test';\n${source}`);
    const reporter = inRoot('test/harness/boot/countReporter.mjs');
    // Without it the inner run would report to ours.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    spawnSync(
      process.execPath,
      [...flags, `--test-reporter=${reporter}`, `--test-reporter-destination=${out}`, file],
      { env, cwd: folder },
    );
    const lines = readFileSync(out, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as { title: string; ok: boolean });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SOURCE = `
describe('suite', () => {
  it('good', () => {});
  it('bad', () => { throw new Error('no'); });
  it('skipped', { skip: true }, () => {});
});
test('alone', () => {});
`;

const titles = (results: { title: string; ok: boolean }[]) =>
  results.map(({ title, ok }) => `${title} ${ok ? 'ok' : 'not ok'}`);

describe('the counting reporter', () => {
  const expected = ['good ok', 'bad not ok', 'skipped not ok', 'alone ok'];

  it('reports each test once, in one process and in one per file', () => {
    assert.deepEqual(titles(report(SOURCE)), expected);
    assert.deepEqual(titles(report(SOURCE, '--test')), expected);
  });

  it('reports a file that cannot be loaded, and nothing for one without tests', () => {
    assert.deepEqual(titles(report('', '--test')), []);
    const broken = report("throw new Error('broken');", '--test');
    assert.deepEqual(
      broken.map(({ ok }) => ok),
      [false],
    );
  });
});

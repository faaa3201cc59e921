import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isNotesOnly } from '../../../src/sessions/notesOnly';

test('titles, costs and modes are notes; what somebody said, and what cannot be read, is not', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'notes '));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'session.jsonl');
  const before = '{"type":"user","uuid":"1"}\n';
  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['{"type":"cost-state","totalCostUSD":0}\n', true],
    ['{"type":"custom-title","customTitle":"x"}\n{"type":"mode","mode":"normal"}\n', true],
    ['{"type":"cost-state"}\n{"type":"user","uuid":"2"}\n', false],
    ['{"type":"cost-st', false],
    ['{}\n', false],
    [`{"type":"mode"}${' '.repeat(70_000)}\n`, false],
  ];
  for (const [more, expected] of cases) {
    await writeFile(file, before + more);
    const is = await isNotesOnly(file, before.length, before.length + more.length);
    assert.equal(is, expected, more.slice(0, 60));
  }
});

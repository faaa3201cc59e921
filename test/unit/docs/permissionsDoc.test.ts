import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PERMISSION_MODES } from '../../../src/rules/modes';
import { callKinds, MODE_VERDICTS } from '../../../src/rules/modeVerdicts';
import { inRoot } from '../../harness/paths';
import { MODE_MATRIX, matrixModes } from '../../integration/modeMatrix';

/** The rows of the table below a heading, without its first two lines. */
function tableBelow(heading: string): string[][] {
  const text = readFileSync(inRoot('docs/permissions.md'), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('docs/permissions.md names every permission mode, in our order', () => {
  assert.deepEqual(
    tableBelow('Modes').map(([mode]) => mode),
    [...PERMISSION_MODES],
  );
});

test('docs/permissions.md says of our own tools in each mode what the code does', () => {
  assert.deepEqual(
    tableBelow("What Patchbay's own tools may do"),
    PERMISSION_MODES.map((mode) => [mode, ...callKinds.map((kind) => MODE_VERDICTS[mode][kind])]),
  );
});

test('docs/permissions.md tells what the tests see with the real CLI in each mode', () => {
  assert.deepEqual(
    tableBelow('What was seen'),
    Object.entries(MODE_MATRIX).map(([call, row]) => [
      call,
      ...matrixModes.map((mode) => row[mode]),
    ]),
  );
});

test('in no mode a protected path or one outside is written without the person, and in plan mode nothing but reading runs unasked', () => {
  for (const mode of PERMISSION_MODES) {
    assert.ok(['ask', 'refuse'].includes(MODE_VERDICTS[mode].editsElsewhere), mode);
  }
  const { reads, editsToolFiles, ...others } = MODE_VERDICTS.plan;
  assert.deepEqual([reads, editsToolFiles], ['run', 'ask']);
  assert.deepEqual(new Set(Object.values(others)), new Set(['refuse']));
});

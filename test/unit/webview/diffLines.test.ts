import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberLines } from '../../../src/webview/diffLines';

test('lines of a change have the number of the file they stand in', () => {
  const lines = numberLines({ oldStart: 5, newStart: 7, lines: [' a', '-b', '+c', '+d', ' e'] });
  assert.deepEqual(
    lines.map(({ kind, number }) => [kind, number]),
    [
      ['same', 7],
      ['removed', 6],
      ['added', 8],
      ['added', 9],
      ['same', 10],
    ],
  );
});

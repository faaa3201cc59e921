import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FOLDED_LINES,
  foldedParts,
  lookClasses,
  outputParts,
} from '../../../src/webview/outputParts';

const words = (parts: readonly { readonly text: string }[] | undefined) =>
  parts?.map((part) => part.text).join('');

test('places keep the looks of what they stand in, also where those change inside', () => {
  const parts = outputParts('\u001b[31msrc/\u001b[1ma.ts:3\u001b[0m bad, b.ts:4');
  assert.deepEqual(parts, [
    { text: 'src/', color: 1, href: 'src/a.ts:3' },
    { text: 'a.ts:3', color: 1, bold: true, href: 'src/a.ts:3' },
    { text: ' bad, ' },
    { text: 'b.ts:4', href: 'b.ts:4' },
  ]);
  assert.equal(lookClasses(parts[1] ?? { text: '' }), 'ansi-1 ansi-bold');
  assert.equal(lookClasses({ text: 'x', background: 12, dim: true }), 'ansi-bg-12 ansi-dim');
});

test('a long output folds to its beginning or its end, a short one not at all', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `${n}`);
  const parts = outputParts(`${lines.join('\n')}\n`);
  assert.equal(words(foldedParts(parts, 'start')), lines.slice(0, FOLDED_LINES).join('\n'));
  assert.equal(words(foldedParts(parts, 'end')), `${lines.slice(-FOLDED_LINES).join('\n')}\n`);
  const open = outputParts(lines.join('\n'));
  assert.equal(words(foldedParts(open, 'end')), lines.slice(-FOLDED_LINES).join('\n'));
  assert.equal(foldedParts(outputParts(lines.slice(0, 15).join('\n')), 'end'), undefined);
  assert.equal(foldedParts(outputParts(''), 'end'), undefined);
});

test('cut together again, parts are the output', () => {
  const text = 'src/a.ts\n 1:2 x\nb.ts:3 \u001b[32mok\u001b[0m c.ts:1\n';
  assert.equal(words(outputParts(text)), 'src/a.ts\n 1:2 x\nb.ts:3 ok c.ts:1\n');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines } from '../../../src/editor/changedLines';

/** The lines that changes of a text touch. Places are `line:column`, 0-based, of the text before. */
function touched(
  before: string,
  ...edits: readonly (readonly [from: string, to: string, text: string])[]
): readonly string[] {
  const place = (at: string): { line: number; character: number } => {
    const [line = 0, character = 0] = at.split(':').map(Number);
    return { line, character };
  };
  const starts = before
    .split('\n')
    .reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);
  const offset = ({ line, character }: { line: number; character: number }): number =>
    (starts[line] ?? 0) + character;
  const changes = edits.map(([from, to, text]) => ({
    range: { start: place(from), end: place(to) },
    text,
  }));
  const after = [...changes]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (text, { range, text: put }) =>
        text.slice(0, offset(range.start)) + put + text.slice(offset(range.end)),
      before,
    );
  const lines = after.split('\n');
  const document = {
    lineCount: lines.length,
    lineAt: (line: number) => ({ text: lines[line] ?? assert.fail(`no line ${line}`) }),
  };
  // Only what is asked for is there: a whole range of the editor has more.
  return changedLines(document, changes as unknown as Parameters<typeof changedLines>[1]);
}

test('a change tells the whole lines that it touches, as they are afterwards', () => {
  const text = "import a from './util';\nmiddle\nlast";
  assert.deepEqual(touched(text, ['0:21', '0:21', 's']), ["import a from './utils';"]);
  assert.deepEqual(touched(text, ['0:20', '0:21', '']), ["import a from './uti';"]);
  assert.deepEqual(touched(text, ['1:0', '1:0', 'new\n']), ['new', 'middle']);
  assert.deepEqual(touched(text, ['0:0', '2:4', '']), ['']);
  assert.deepEqual(touched(text, ['2:4', '2:4', '\r\n']).length, 2);
});

test('several changes of one event are found where the others have moved them, in any order', () => {
  const text = 'a\nb\nc\nd';
  const edits = [
    ['0:0', '0:0', '1\n2\n'],
    ['1:1', '2:0', ''],
    ['3:1', '3:1', '!'],
  ] as const;
  const expected = ['1', '2', 'a', 'bc', 'd!'];
  assert.deepEqual(touched(text, ...edits), expected);
  assert.deepEqual(touched(text, ...[...edits].reverse()), expected);
});

test('of a huge change only the first lines are looked at', () => {
  assert.ok(touched('a', ['0:0', '0:0', 'x\n'.repeat(20_000)]).length <= 501);
});

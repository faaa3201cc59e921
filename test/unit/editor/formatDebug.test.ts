import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStop, formatValue, type ShownStop } from '../../../src/editor/formatDebug';

const STOP: ShownStop = {
  ...{ session: 'app', type: 'node', reason: 'breakpoint', text: undefined, code: 'x()' },
  frame: { index: 0, name: 'run', place: 'a.ts:10:5', isInternal: false },
  ...{ threads: [], frames: [], totalFrames: 1, variables: [], output: [], notes: [] },
};
const numbered = <T>(length: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length }, (_, n) => make(n));

test('B4: a stop with deep frames, many threads, variables and output keeps to 6,000 characters, and says what is left out', () => {
  const frames = numbered(60, (index) => ({
    ...{ index, name: 'n'.repeat(80), isInternal: false },
    place: `${'p/'.repeat(100)}a.ts:10:5`,
  }));
  const text = formatStop({
    ...STOP,
    ...{ session: 's'.repeat(200), reason: 'r'.repeat(200), text: 't'.repeat(900), frames },
    ...{ frame: frames[0], code: 'c'.repeat(900), totalFrames: 80 },
    threads: numbered(300, (number) => ({
      ...{ number, name: 'w'.repeat(90) },
      stopped: number > 290 ? 'breakpoint' : undefined,
    })),
    variables: numbered(40, (n) => `v${n} = ${'v'.repeat(150)}`),
    output: ['output:', 'o'.repeat(1_500)],
  });
  // Room for what the tools say below it.
  assert.ok(text.length <= 5_600, `${text.length}`);
  assert.match(text, /\nthreads, \d of 300, stopped ones first:\n 291 w+…?: stopped/);
  const [, left] = /\nstack, 80 frames \((\d+) internal or deeper ones not listed\):\n/.exec(text)!;
  assert.equal(Number(left) + (text.match(/\n \d+ n{80} /g) ?? []).length, 80);
  assert.match(text, /\n… more variables: name one with variable\noutput:\no+$/);
});

test('threads and frames that fit are all listed, and a frame without a place has none', () => {
  const frame = { index: 1, name: '(kept back)', place: '', isInternal: false };
  assert.equal(
    formatStop({
      ...STOP,
      ...{ frame, code: undefined, frames: [frame] },
      threads: numbered(2, (n) => ({ number: n, name: `t${n}`, stopped: n ? 'step' : undefined })),
    }),
    [
      'stopped (breakpoint) in (kept back) [session "app", node]',
      ...['threads:', ' 0 t0: running', ' 1 t1: stopped (step)'],
      ...['stack, 1 frame:', ' 1 (kept back)'],
    ].join('\n'),
  );
});

test('B4: an evaluated value keeps to 6,000 characters with what is in it', () => {
  const text = formatValue(
    'x'.repeat(2_000),
    numbered(30, (n) => ` ${`${n}`.padEnd(60, 'n')} = ${'v'.repeat(160)}`),
  );
  assert.ok(text.length <= 6_000, `${text.length}`);
  assert.match(text, /\n… more inside: evaluate a part of it$/);
  assert.equal(formatValue('1', [' a = 1']), '1\n a = 1');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameBudget, LEAST_MS } from '../../../src/webview/frameBudget';

/** 60 a second. */
const FRAME_MS = 1000 / 60;

/** What it gives to frames that come after so many of 60 a second. */
function given(budget: FrameBudget, frames: readonly number[]): number[] {
  let now = 1000;
  return frames.map((count) => {
    now += count * FRAME_MS;
    return budget.next(now);
  });
}

test('the first frame draws little, and each that comes in time a little more, up to a limit', () => {
  const all = given(new FrameBudget(), new Array<number>(20).fill(1));
  assert.equal(all[0], LEAST_MS);
  assert.deepEqual(
    all,
    [...all].sort((a, b) => a - b),
  );
  assert.equal(all.at(-1), 4);
});

test('a late frame halves it, and never below the least', () => {
  const budget = new FrameBudget();
  const [, , before = 0, late] = given(budget, [1, 1, 1, 2]);
  assert.equal(late, before / 2);
  assert.equal(given(budget, new Array<number>(20).fill(3)).at(-1), LEAST_MS);
});

test('a pause in which there was nothing to draw is no late frame', () => {
  const budget = new FrameBudget();
  const [, , before] = given(budget, [1, 1, 1]);
  budget.rest();
  assert.equal(budget.next(60_000), before);
});

test('screens that draw more often are not taken for late ones', () => {
  const half = new Array<number>(20).fill(0.5);
  assert.equal(given(new FrameBudget(), half).at(-1), 4);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayRow, ratioRow, type Samples } from '../../bench/benchRow';
import { printRows } from '../../bench/printRows';
import { median, pairedRatio, quantile, rotated, straysFrom, worst } from '../../bench/statistics';
import type { HostReport } from '../../bench/workload';

test('the median of an odd number of values is the middle one, of an even number the mean of two', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test('a ratio is taken round by round, so a slow round of both hosts does not count', () => {
  // The quotient of the medians would be 12 ÷ 20.
  assert.equal(pairedRatio([10, 12, 400], [20, 24, 800]), 0.5);
  assert.equal(pairedRatio([10, 12, 400], [10, 20, 100]), 1);
});

test('a quantile is one of the values', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  assert.deepEqual([quantile(values, 0.99), quantile([7], 0.99), quantile([2, 1], 0)], [198, 7, 1]);
  assert.ok(Number.isNaN(quantile([], 0.99)));
});

test('the worst of no rounds is not a number', () => {
  assert.equal(worst([3, 7, 5]), 7);
  assert.ok(Number.isNaN(worst([])));
});

test('a ratio strays when it is more than 30 percent off, and when it is not a number', () => {
  assert.equal(straysFrom(2, 2.59), false);
  assert.equal(straysFrom(2, 1.41), false);
  assert.equal(straysFrom(2, 2.61), true);
  assert.equal(straysFrom(2, 1.39), true);
  assert.equal(straysFrom(2, Number.NaN), true);
});

test('each host comes first once in as many rounds as there are hosts', () => {
  const rounds = [0, 1, 2].map((round) => rotated(['a', 'b', 'c'], round));
  assert.deepEqual(rounds, [
    ['a', 'b', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
  ]);
  assert.deepEqual(rotated([], 3), []);
});

function reports(cpuMs: readonly number[], loopMs = 10): HostReport[] {
  return cpuMs.map((one) => ({
    ...{ startMs: 0, wallMs: 0, cpuMs: one, loopMs, rssMiB: 0, replyUs: undefined },
    ...{ posts: 0, postedBytes: 0, textBytes: 0, textHash: '' },
  }));
}

const goal = {
  ...{ id: '1', workload: 'work', metric: 'host CPU, ms' },
  ...{ of: (report: HostReport) => report.cpuMs, floor: 1.2, peer: 1.5, expected: 2 },
};

test('a row is met, missed by the floor, missed by the peer, or void', () => {
  const samples = (ours: number, floor: number, peer: number): Samples => ({
    ours: reports([ours]),
    floor: reports([floor]),
    peer: reports([peer]),
  });
  assert.equal(ratioRow(samples(110, 100, 200), goal).state, 'ok');
  assert.equal(ratioRow(samples(125, 100, 200), goal).state, 'missed');
  assert.equal(ratioRow(samples(118, 100, 150), goal).state, 'missed');
  const tooFar = ratioRow(samples(110, 100, 300), goal);
  assert.equal(tooFar.state, 'void');
  assert.equal(tooFar.ok, false);
  assert.match(printRows([tooFar]), /void: SDK ÷ floor 3/);
});

test('one round with a long delay misses, and the floor’s own worst stands beside it', () => {
  const ours = [...reports([1, 1], 10), ...reports([1], 61)];
  const row = delayRow(
    { ours, floor: reports([1, 1, 1], 70), peer: reports([1, 1, 1], 90) },
    { id: '2', workload: 'work', worst: 60 },
  );
  assert.equal(row.ok, false);
  assert.equal(row.ours, 61);
  assert.equal(row.yardstick, 70);
});

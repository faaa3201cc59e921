import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeightTree } from '../../../src/webview/heightTree';
import {
  type Heights,
  nextSpan,
  type Run,
  runsOf,
  spanAround,
} from '../../../src/webview/rowWindow';

/** Rows of these heights, with a gap of ten pixels behind each. */
function rowsOf(heights: readonly number[]): Heights {
  const tree = new HeightTree(heights.map((height) => height + 10));
  return {
    count: tree.count,
    gap: 10,
    before: (place) => tree.before(place),
    placeAt: (distance) => tree.indexAt(distance),
  };
}

const even = rowsOf(Array.from({ length: 1000 }, () => 90));
const NOTHING = { from: 0, to: 0 };

test('the view and as much beyond each of its edges is drawn', () => {
  const tall = rowsOf(Array.from({ length: 1000 }, () => 15));
  const span = nextSpan(NOTHING, { top: 12_500, height: 600 }, tall);
  assert.deepEqual(span, { from: 476, to: 549 });
  assert.deepEqual(nextSpan(NOTHING, { top: 0, height: 600 }, tall), { from: 0, to: 49 });
  assert.deepEqual(nextSpan(NOTHING, { top: 24_400, height: 600 }, tall), { from: 952, to: 1000 });
  assert.deepEqual(nextSpan(NOTHING, { top: 0, height: 600 }, rowsOf([])), NOTHING);
});

test('forty are drawn at least, and so all of a short conversation', () => {
  assert.deepEqual(nextSpan(NOTHING, { top: 50_000, height: 600 }, even), { from: 483, to: 523 });
  assert.deepEqual(nextSpan(NOTHING, { top: 0, height: 600 }, even), { from: 0, to: 40 });
  assert.deepEqual(nextSpan(NOTHING, { top: 99_400, height: 600 }, even), { from: 960, to: 1000 });
  const few = rowsOf(Array.from({ length: 30 }, () => 500));
  let span = nextSpan(NOTHING, { top: 15_000, height: 600 }, few);
  assert.deepEqual(span, { from: 0, to: 30 });
  span = nextSpan(span, { top: 0, height: 600 }, few);
  assert.deepEqual(span, { from: 0, to: 30 });
});

test('a large view draws little more than itself', () => {
  const large = nextSpan(NOTHING, { top: 50_000, height: 4000 }, even);
  assert.equal(large.to - large.from, 57);
});

test('what is drawn stays while the view is well inside, and always covers the view', () => {
  let span = nextSpan(NOTHING, { top: 50_000, height: 600 }, even);
  let changes = 0;
  for (let top = 50_000; top >= 0; top -= 20) {
    const next = nextSpan(span, { top, height: 600 }, even);
    if (next.from !== span.from || next.to !== span.to) changes += 1;
    span = next;
    assert.ok(even.before(span.from) <= Math.max(0, top - 200), `something is drawn above ${top}`);
    assert.ok(even.before(span.to) >= top + 800, `something is drawn below ${top}`);
    assert.ok(span.to - span.from <= 80, 'and not far too much');
  }
  assert.ok(changes > 20 && changes < 100, `${changes} steps for 2,500 movements`);
});

test('a leap draws the other place and nothing between', () => {
  const here = nextSpan(NOTHING, { top: 90_000, height: 600 }, even);
  assert.deepEqual(nextSpan(here, { top: 100, height: 600 }, even), { from: 0, to: 40 });
});

test('around an item there is as much as around the view', () => {
  const { from, to } = spanAround(500, 600, even);
  assert.ok(from <= 490 && to >= 511);
  assert.equal(spanAround(0, 600, even).from, 0);
  assert.equal(spanAround(999, 600, even).to, 1000);
});

const brief = (runs: readonly Run[]) =>
  runs.map((run) =>
    run.kind === 'rows' ? `${run.from}-${run.to}` : `${run.from}-${run.to}: ${run.height} px`,
  );

test('empty places stand in for what is not drawn, as high as that with the gaps inside', () => {
  const rows = rowsOf([100, 200, 300, 400, 500]);
  assert.deepEqual(brief(runsOf({ from: 2, to: 3 }, [], rows)), [
    '0-2: 310 px',
    '2-3',
    '3-5: 910 px',
  ]);
  assert.deepEqual(brief(runsOf({ from: 0, to: 5 }, [], rows)), ['0-5']);
  assert.deepEqual(brief(runsOf({ from: 0, to: 99 }, [], rows)), ['0-5']);
  assert.deepEqual(brief(runsOf(NOTHING, [], rows)), ['0-5: 1540 px']);
  assert.deepEqual(brief(runsOf(NOTHING, [], rowsOf([]))), []);
});

test('what is kept is drawn where it belongs, once, whatever else is', () => {
  const rows = rowsOf([100, 200, 300, 400, 500]);
  assert.deepEqual(brief(runsOf({ from: 1, to: 2 }, [4, 1, -1, 7, 4], rows)), [
    '0-1: 100 px',
    '1-2',
    '2-4: 710 px',
    '4-5',
  ]);
  assert.deepEqual(brief(runsOf({ from: 2, to: 4 }, [0, 1], rows)), [
    '0-1',
    '1-2',
    '2-4',
    '4-5: 500 px',
  ]);
});

test('rows and empty places together are as high as all rows', () => {
  const heights = Array.from({ length: 200 }, (_, at) => (at * 37) % 211);
  const rows = rowsOf(heights);
  const whole = rows.before(200) - 10;
  for (let from = 0; from < 190; from += 7) {
    const runs = runsOf({ from, to: from + 9 }, [3, 120, 199], rows);
    const drawn = runs.flatMap((run) =>
      run.kind === 'gap' ? [run.height] : heights.slice(run.from, run.to),
    );
    const sum = drawn.reduce((all, one) => all + one, 0) + (drawn.length - 1) * 10;
    assert.equal(sum, whole);
  }
});

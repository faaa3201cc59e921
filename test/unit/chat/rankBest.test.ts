import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathScore, rank } from '../../../src/chat/fuzzyMatch';
import { RANK_SLICE, rankBest } from '../../../src/chat/rankBest';

/** As a large workspace has them: the wanted ones late in the alphabet. */
const PATHS = Array.from(
  { length: 100_000 },
  (_, i) => `packages/p${i % 400}/src/deep/module${i}/file${i}.ts`,
);

function ranking() {
  const counts = { scored: 0, most: 0, pauses: 0 };
  let inSlice = 0;
  const abort = new AbortController();
  return {
    counts,
    abort,
    scoreOf: (path: string, typed: string): number | undefined => {
      counts.scored += 1;
      inSlice += 1;
      counts.most = Math.max(counts.most, inSlice);
      return pathScore(typed, path);
    },
    options: {
      most: 120,
      signal: abort.signal,
      pause: () => {
        counts.pauses += 1;
        inSlice = 0;
        return Promise.resolve();
      },
    },
  };
}

test('of 100,000 files each is looked at once, in slices, and the best are those of a full sort (E21)', async () => {
  for (const typed of ['', 'file99', 'p399/src', 'zzz']) {
    const { counts, scoreOf, options } = ranking();
    const best = await rankBest(PATHS, (path) => scoreOf(path, typed), options);
    assert.deepEqual(
      { ...counts },
      { scored: PATHS.length, most: RANK_SLICE, pauses: PATHS.length / RANK_SLICE - 1 },
    );
    assert.deepEqual(best, rank(PATHS, (path) => pathScore(typed, path)).slice(0, options.most));
  }
});

test('who types on waits for no more than a slice of what they wanted before (E21)', async () => {
  const { counts, scoreOf, options, abort } = ranking();
  const pause = () => {
    abort.abort(new Error('typed on'));
    return options.pause();
  };
  const ranked = rankBest(PATHS, (path) => scoreOf(path, 'file'), { ...options, pause });
  await assert.rejects(ranked, /typed on/);
  assert.equal(counts.scored, RANK_SLICE);
});

test('equal ones keep their order, and no more are kept than wanted', async () => {
  const options = { ...ranking().options, most: 3 };
  const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => ({ name, score: i === 4 ? 9 : 1 }));
  const best = await rankBest(items, ({ score }) => score, options);
  assert.equal(best.map(({ item }) => item.name).join(''), 'eab');
  assert.deepEqual(await rankBest([], () => 1, options), []);
});

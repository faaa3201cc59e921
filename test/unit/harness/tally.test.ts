import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  cameToEnd,
  keepPassed,
  readResults,
  tallyCheck,
  tallySuite,
  tallyTwice,
} from '../../harness/boot/tally.mjs';

function tallyOf(text: string | undefined, code: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay tally '));
  try {
    const file = path.join(folder, 'results.jsonl');
    if (text !== undefined) writeFileSync(file, text);
    const { passed, failed, failures } = tallySuite(file, code);
    return [passed, failed, failures.map(({ title }) => title).join()];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const good = '{"title":"a","ok":true}\n';
const bad = '{"title":"b","ok":false,"error":"x"}\n';

describe('the count of npm test', () => {
  it('adds up what passed and what failed', () => {
    assert.deepEqual(tallyOf(good + good + bad, 1), [2, 1, 'b']);
    assert.deepEqual(tallyOf(good, 0), [1, 0, '']);
  });

  it('takes a suite without a test for a failure, whatever it says', () => {
    assert.deepEqual(tallyOf(undefined, 0), [0, 1, 'no test ran']);
    assert.deepEqual(tallyOf('', 0), [0, 1, 'no test ran']);
  });

  it('takes a suite that did not come to its end for a failure', () => {
    assert.deepEqual(tallyOf(good, 137), [1, 1, 'the suite ended with code 137']);
    assert.deepEqual(tallyOf(`${good}{"title":"c",`, 1), [1, 1, 'the suite ended with code 1']);
  });

  it('counts as failed, of two runs, what failed in both, and names what failed in one', () => {
    const run = (...failed: string[]) => ({
      passed: 5 - failed.length,
      failed: failed.length,
      failures: failed.map((title) => ({ title, ok: false })),
    });
    const counts = ({ passed, failed, unsteady }: ReturnType<typeof tallyTwice>) =>
      [passed, failed, unsteady.join()] as const;
    assert.deepEqual(counts(tallyTwice(run('a'), run())), [5, 0, 'a']);
    assert.deepEqual(counts(tallyTwice(run('a', 'b'), run('b', 'c'))), [4, 1, 'a,c']);
    assert.deepEqual(counts(tallyTwice(run('a'), run('a'))), [4, 1, '']);
    const part = { passed: 1, failed: 0, failures: [] };
    assert.deepEqual(
      counts(tallyTwice(run('a'), part)),
      [5, 0, 'a'],
      'a part stands for the whole',
    );
  });

  it('has all of a suite run again that did not come to its end, and no second run that did not, hide a failure', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'patchbay tally '));
    try {
      const tally = (text: string, code: number) => {
        const file = path.join(folder, 'results.jsonl');
        writeFileSync(file, text);
        return tallySuite(file, code);
      };
      assert.equal(cameToEnd(tally(good + bad, 1)), true);
      for (const cut of [tally(good, 1), tally('', 0), tally('', 1)]) {
        assert.equal(cameToEnd(cut), false);
        const { failed, failures } = tallyTwice(tally(good + bad, 1), cut);
        assert.deepEqual([failed, failures], [1, cut.failures]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps what had passed beside the results of the part that ran again', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'patchbay tally '));
    try {
      const [first, again] = [path.join(folder, 'first'), path.join(folder, 'again')];
      writeFileSync(first, good + bad);
      writeFileSync(again, bad.replace('false', 'true'));
      keepPassed(again, first);
      assert.deepEqual(
        readResults(again).map(({ title, ok }) => `${title} ${ok}`),
        ['b true', 'a true'],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('counts a check as one', () => {
    assert.deepEqual([tallyCheck(0).passed, tallyCheck(0).failed], [1, 0]);
    assert.deepEqual([tallyCheck(2).passed, tallyCheck(2).failed], [0, 1]);
  });
});

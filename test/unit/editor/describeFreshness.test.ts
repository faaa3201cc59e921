import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeFile,
  describeFiles,
  type FileReport,
  isKnown,
} from '../../../src/editor/describeFreshness';

function report(given: Partial<FileReport>): FileReport {
  return {
    path: 'a.ts',
    nearness: 0,
    hasTab: true,
    problems: [],
    settled: true,
    asked: false,
    since: 'edit',
    disk: 'same',
    ...given,
  };
}

describe('describeFreshness', () => {
  it('says nothing where a report came after the edit', () => {
    assert.deepEqual(describeFile(report({})), []);
    assert.equal(isKnown(report({})), true);
  });

  it('tells "no report" from "not analysed", and neither is known', () => {
    const silent = report({ settled: false });
    const closed = report({ settled: false, hasTab: false });
    assert.deepEqual(describeFile(silent), ['no report since the edit: a.ts']);
    assert.deepEqual(describeFile({ ...silent, since: 'open' }), ['no report since opening: a.ts']);
    assert.deepEqual(describeFile(closed), ['not analysed: a.ts is not open in a tab']);
    assert.deepEqual([silent, closed].map(isKnown), [false, false]);
  });

  it('does not trust reports on a file without a tab', () => {
    assert.equal(isKnown(report({ hasTab: false, settled: true })), false);
  });

  it('tells which text was looked at', () => {
    assert.deepEqual(describeFile(report({ disk: 'unsaved' })), ['(of the unsaved text)']);
    assert.match(describeFile(report({ disk: 'diskNewer' }))[0]!, /disk is newer/);
    assert.match(describeFile(report({ disk: 'removed' }))[0]!, /removed from the disk/);
  });

  it('names five of many unknown files', () => {
    const reports = Array.from({ length: 7 }, (_, i) =>
      report({ path: `f${i}.ts`, settled: false }),
    );
    assert.deepEqual(describeFiles(reports), [
      'no report since the edit: f0.ts, f1.ts, f2.ts, f3.ts, f4.ts and 2 more files',
    ]);
  });
});

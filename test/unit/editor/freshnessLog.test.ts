import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FreshnessLog, QUIET_MS } from '../../../src/editor/freshnessLog';

const never = new AbortController().signal;

describe('FreshnessLog', () => {
  it('does not count a report that came before the edit, even in the same millisecond', () => {
    const log = new FreshnessLog();
    log.reported('a');
    log.changed('a', 'edit');
    assert.equal(log.hasReport('a'), false);
    log.reported('a');
    assert.equal(log.hasReport('a'), true);
    assert.equal(log.lastChange('a'), 'edit');
  });

  it('waits for the report after the edit and for quiet after it', async () => {
    const log = new FreshnessLog();
    log.changed('a', 'edit');
    const start = Date.now();
    const settled = log.settle('a', 5_000, never);
    setTimeout(() => log.reported('a'), 50);
    setTimeout(() => log.reported('a'), 150);
    assert.equal(await settled, true);
    assert.ok(Date.now() - start >= 145 + QUIET_MS);
  });

  it('doubts a report that is older than an edit on which it may depend', () => {
    const log = new FreshnessLog();
    assert.equal(log.isDoubtful('a'), false, 'nothing was edited');
    log.reported('a');
    log.sharedChanged();
    assert.equal(log.isDoubtful('a'), true);
    assert.equal(log.isDoubtful('never reported'), true);
    log.reported('a');
    assert.equal(log.isDoubtful('a'), false);
  });

  it('is not settled by reports about other documents, and gives up in time', async () => {
    const log = new FreshnessLog();
    log.changed('a', 'open');
    const settled = log.settle('a', 120, never);
    setTimeout(() => log.reported('b'), 10);
    assert.equal(await settled, false);
  });

  it('gives up in time where reports never end, a new text or an old one', async () => {
    const log = new FreshnessLog();
    log.changed('new', 'edit');
    log.reported('old');
    const flood = setInterval(() => {
      for (const key of ['new', 'old']) log.reported(key);
    }, QUIET_MS / 10);
    const late = new AbortController();
    const hang = setTimeout(() => late.abort(), 60_000);
    try {
      const settled = ['new', 'old'].map((key) => log.settle(key, QUIET_MS, late.signal));
      assert.deepEqual(await Promise.all(settled), [true, true]);
      assert.equal(late.signal.aborted, false, 'it waits as long as there are reports');
    } finally {
      clearInterval(flood);
      clearTimeout(hang);
    }
  });

  it('does not wait at all for a document that has been quiet for long', async () => {
    const start = Date.now();
    assert.equal(await new FreshnessLog().settle('never seen', 300_000, never), false);
    assert.ok(Date.now() - start < 60_000);
  });

  it('starts over when an edit comes while it waits for quiet', async () => {
    const log = new FreshnessLog();
    log.changed('a', 'edit');
    log.reported('a');
    const settled = log.settle('a', 150, never);
    setTimeout(() => log.changed('a', 'edit'), 20);
    assert.equal(await settled, false);
  });

  it('ends at once on Stop', async () => {
    const stop = new AbortController();
    const log = new FreshnessLog();
    log.changed('a', 'edit');
    const settled = log.settle('a', 60_000, stop.signal);
    stop.abort();
    assert.equal(await settled, false);
  });
});

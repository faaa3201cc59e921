import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextHistory } from '../../../src/editor/textHistory';

function type(history: TextHistory, at: number, text: string): void {
  history.typed(at);
  history.settle(text);
}

describe('the history of a text', () => {
  it('joins what was typed after a moment, and leaves out what was typed before', () => {
    const history = new TextHistory('a');
    type(history, 10, 'ab');
    type(history, 20, 'abc');
    type(history, 30, 'abcd');
    assert.deepEqual(history.since(0), [{ before: 'a', after: 'abcd' }]);
    assert.deepEqual(history.since(10), [{ before: 'ab', after: 'abcd' }]);
    assert.deepEqual(history.since(30), []);
    assert.equal(history.lastTyped, 30);
  });

  it('keeps apart what others changed in between, and tells nothing of that', () => {
    const history = new TextHistory('a');
    type(history, 10, 'ab');
    history.replaced('XX');
    type(history, 20, 'XX!');
    assert.deepEqual(history.since(0), [
      { before: 'a', after: 'ab' },
      { before: 'XX', after: 'XX!' },
    ]);
  });

  it('tells nothing where it came to nothing', () => {
    const history = new TextHistory('a');
    type(history, 10, 'ab');
    type(history, 20, 'a');
    assert.deepEqual(history.since(0), []);
    history.settle('changed by nobody who typed');
    assert.deepEqual(history.since(0), []);
  });

  it('forgets the times of what is long ago, never the text', () => {
    const history = new TextHistory('');
    let text = '';
    for (let at = 1; at <= 500; at += 1) type(history, at, (text += 'x'));
    assert.deepEqual(history.since(0), [{ before: '', after: text }]);
    assert.deepEqual(history.since(499), [{ before: text.slice(1), after: text }]);
  });

  it('loses nothing where others wrote between many changes, and says so where it must', () => {
    const history = new TextHistory('0');
    const both = (n: number): void => {
      type(history, n * 10, `person ${n}`);
      history.replaced(`agent ${n}`);
    };
    for (let n = 1; n <= 300; n += 1) both(n);
    assert.equal(history.since(0).length, 300);
    assert.equal(history.isCutSince(0), false);
    for (let n = 301; n <= 1_000; n += 1) both(n);
    const kept = history.since(0).length;
    assert.ok(kept >= 40 && kept < 1_000, `${kept}`);
    assert.ok(history.isCutSince(0), 'it is said that some are lost');
    assert.equal(history.isCutSince((1_000 - kept) * 10), false, 'of the rest nothing is');
    assert.equal(history.since((1_000 - kept) * 10).length, kept);
  });

  it('joins what touches before it lets go of anything', () => {
    const history = new TextHistory('');
    type(history, 1, 'first');
    history.replaced('agent');
    for (let at = 2; at <= 500; at += 1) type(history, at, `agent ${at}`);
    assert.deepEqual(history.since(0), [
      { before: '', after: 'first' },
      { before: 'agent', after: 'agent 500' },
    ]);
  });

  it('bounds what it holds of long texts', () => {
    const history = new TextHistory('');
    const long = 'x'.repeat(999_000);
    for (let n = 1; n <= 60; n += 1) {
      history.replaced(`${long}${n}`);
      type(history, n, `${long}${n}!`);
    }
    assert.ok(history.since(0).length <= 41);
    assert.ok(history.isCutSince(0));
    assert.equal(history.isCutSince(59), false);
  });
});

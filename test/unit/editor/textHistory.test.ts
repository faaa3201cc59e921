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
});

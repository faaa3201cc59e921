import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DraftTimer } from '../../../src/webview/draftTimer';
import { HandClock } from './handClock';

function draft(posted = '') {
  const clock = new HandClock();
  const sent: string[] = [];
  const timer = new DraftTimer((text) => sent.push(text), clock, posted);
  return { clock, sent, timer };
}

test('a change is with the host within 300 ms', () => {
  const { clock, sent, timer } = draft();
  timer.changed('a');
  clock.advance(300);
  assert.deepEqual(sent, ['a']);
});

test('steady typing does not put the post off', () => {
  const { clock, sent, timer } = draft();
  for (let i = 1; i <= 20; i += 1) {
    timer.changed('x'.repeat(i));
    clock.advance(50);
  }
  assert.equal(sent.length, 5);
  assert.equal(sent.at(-1)?.length, 20);
});

test('text that the host already holds is not posted', () => {
  const { clock, sent, timer } = draft('kept');
  timer.changed('kept!');
  timer.changed('kept');
  clock.advance(1000);
  assert.deepEqual(sent, []);
});

test('a flush posts at once and only once', () => {
  const { clock, sent, timer } = draft();
  timer.changed('a');
  timer.flush();
  timer.flush();
  clock.advance(1000);
  assert.deepEqual(sent, ['a']);
});

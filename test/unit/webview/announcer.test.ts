import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer, QUIET_AFTER_TYPING_MS } from '../../../src/webview/announcer';
import { HandClock } from './handClock';

function announce() {
  const clock = new HandClock();
  const announcer = new Announcer(clock);
  const polite = () => announcer.polite.value.map(({ text }) => text);
  return { clock, announcer, polite };
}

test('what is said stands in the region, and goes as others come', () => {
  const { announcer, polite } = announce();
  for (const text of ['1', '2', '3', '4', '5']) announcer.say(text);
  assert.deepEqual(polite(), ['2', '3', '4', '5']);
});

test('while the person types nothing is said, and in the first pause all of it, once and in its order', () => {
  const { announcer, clock, polite } = announce();
  announcer.say('before');
  announcer.typed();
  for (const text of ['1', '2', '3', '4', '5']) announcer.say(text);
  clock.advance(QUIET_AFTER_TYPING_MS - 1);
  announcer.typed();
  clock.advance(QUIET_AFTER_TYPING_MS - 1);
  assert.deepEqual(polite(), ['before']);
  clock.advance(1);
  assert.deepEqual(polite(), ['1', '2', '3', '4', '5']);
  clock.advance(QUIET_AFTER_TYPING_MS);
  announcer.say('after');
  assert.deepEqual(polite(), ['3', '4', '5', 'after']);
});

test('an input method keeps it silent for as long as it is open', () => {
  const { announcer, clock, polite } = announce();
  announcer.composing(true);
  announcer.say('a block');
  clock.advance(QUIET_AFTER_TYPING_MS * 10);
  assert.deepEqual(polite(), []);
  announcer.composing(false);
  assert.deepEqual(polite(), []);
  clock.advance(QUIET_AFTER_TYPING_MS);
  assert.deepEqual(polite(), ['a block']);
});

test('what interrupts does not wait for a pause', () => {
  const { announcer } = announce();
  announcer.typed();
  announcer.interrupt('Permission request');
  assert.deepEqual(
    announcer.assertive.value.map(({ text }) => text),
    ['Permission request'],
  );
});

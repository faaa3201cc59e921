import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer, QUIET_AFTER_TYPING_MS, STEP_MS } from '../../../src/webview/announcer';
import { HandClock } from './handClock';

function announce() {
  const clock = new HandClock();
  const announcer = new Announcer(clock);
  const polite = () => announcer.polite.value.map(({ text }) => text);
  return { clock, announcer, polite };
}

test('what is said stands in the region, and goes as others come', () => {
  const { announcer, clock, polite } = announce();
  for (const text of ['1', '2', '3', '4']) announcer.say(text);
  assert.deepEqual(polite(), ['1', '2', '3', '4']);
  clock.advance(STEP_MS);
  announcer.say('5');
  assert.deepEqual(polite(), ['2', '3', '4', '5']);
});

test('of a burst each stands for a while, in its order, and never more at once than the region keeps', () => {
  const { announcer, clock, polite } = announce();
  const all = Array.from({ length: 10 }, (_, index) => String(index));
  for (const text of all) announcer.say(text);
  const steps = [0, 1, 2, 3].map(() => {
    const stands = polite();
    clock.advance(STEP_MS);
    return stands;
  });
  assert.deepEqual(steps, [
    ['0', '1', '2', '3'],
    ['4', '5', '6', '7'],
    ['6', '7', '8', '9'],
    ['6', '7', '8', '9'],
  ]);
});

test('one that was said late in a step is not pushed out by those that wait', () => {
  const { announcer, clock, polite } = announce();
  for (const text of ['1', '2', '3']) announcer.say(text);
  clock.advance(STEP_MS - 1);
  for (const text of ['4', '5', '6', '7', '8']) announcer.say(text);
  clock.advance(STEP_MS - 1);
  assert.deepEqual(polite(), ['1', '2', '3', '4']);
  clock.advance(1);
  assert.deepEqual(polite(), ['5', '6', '7', '8']);
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
  assert.deepEqual(polite(), ['1', '2', '3', '4']);
  clock.advance(STEP_MS);
  assert.deepEqual(polite(), ['2', '3', '4', '5']);
  clock.advance(QUIET_AFTER_TYPING_MS);
  announcer.say('after');
  assert.deepEqual(polite(), ['3', '4', '5', 'after']);
});

test('what waits is not said any more once another conversation is shown', () => {
  const { announcer, clock, polite } = announce();
  for (const text of ['1', '2', '3', '4', '5']) announcer.say(text);
  announcer.forget();
  announcer.say('of the other');
  clock.advance(STEP_MS);
  assert.deepEqual(polite(), ['2', '3', '4', 'of the other']);
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

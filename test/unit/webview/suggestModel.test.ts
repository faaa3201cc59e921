import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SuggestAnswer, SuggestQuery } from '../../../src/chat/suggestProtocol';
import { PATIENCE_MS, SuggestModel } from '../../../src/webview/suggestModel';
import { HandClock } from './handClock';

function box() {
  const clock = new HandClock();
  const asked: { id: number; query: SuggestQuery }[] = [];
  const done: string[] = [];
  const entered: (readonly [text: string, caret: number])[] = [];
  let text = '';
  const model = new SuggestModel({
    ask: (id, query) => asked.push({ id, query }),
    replace: (start, end, insert) => {
      text = text.slice(0, start) + insert + text.slice(end);
      done.push(text);
    },
    run: (command) => done.push(`run ${command}`),
    enter: ({ text: pressedIn, caret }) => {
      done.push('enter');
      entered.push([pressedIn, caret]);
    },
    timers: clock,
  });
  const type = (value: string, how: 'typed' | 'moved' | 'other' = 'typed'): void => {
    text = value;
    model.changed(value, value.length, how);
  };
  const answer = (
    names: readonly string[],
    more: Partial<SuggestAnswer> = {},
    id?: number,
  ): void => {
    const rows = names.map((name) => ({ id: name, icon: 'file', label: name, insert: `${name} ` }));
    const answered = { rows, notes: [], isPending: false, ...more };
    model.answered(id ?? asked.at(-1)?.id ?? 0, answered);
  };
  const drawn = () => model.view.value?.rows.map(({ label }) => label);
  const active = () => model.view.value?.active;
  return { model, clock, asked, done, entered, type, answer, drawn, active };
}

test('an answer to an older word is dropped', () => {
  const { type, answer, asked, drawn } = box();
  type('/c');
  type('/co');
  answer(['/cost'], {}, asked[0]?.id);
  assert.equal(drawn(), undefined);
  answer(['/compact']);
  assert.deepEqual(drawn(), ['/compact']);
  type('plain');
  answer(['/late']);
  assert.equal(drawn(), undefined);
});

test('Enter runs a command of the panel’s own in its place, and Tab only writes it', () => {
  const { model, type, answer, done } = box();
  const rows = [
    { id: 'n', icon: 'x', label: '/new', insert: '/new', runs: true as const },
    { id: 'o', icon: 'x', label: '/other', insert: '/other ' },
  ];
  type('/n');
  answer([], { rows });
  assert.equal(model.key('complete'), true);
  assert.deepEqual(done, ['/new']);
  type('/n');
  answer([], { rows });
  assert.equal(model.key('choose'), true);
  assert.deepEqual(done, ['/new', '', 'run /new']);
});

test('arrows go round, Home and End go to the ends, Enter and Tab take the row', () => {
  const { model, type, answer, active, done } = box();
  type('/');
  answer(['/a', '/b', '/c']);
  assert.equal(active(), 0);
  const at = (['down', 'down', 'down', 'up', 'first', 'last', 'up'] as const).map((key) => {
    assert.equal(model.key(key), true);
    return active();
  });
  assert.deepEqual(at, [1, 2, 0, 2, 0, 2, 1]);
  assert.equal(model.key('choose'), true);
  assert.deepEqual(done, ['/b ']);
  assert.equal(model.view.value, undefined);
  type('@x');
  answer(['@x.ts']);
  assert.equal(model.key('complete'), true);
  assert.deepEqual(done, ['/b ', '@x.ts ']);
});

test('keys that come before the answer wait for it, in their order', () => {
  const { model, type, answer, done } = box();
  type('/c');
  assert.equal(model.key('down'), true);
  assert.equal(model.key('choose'), true);
  assert.deepEqual(done, []);
  answer(['/a', '/b']);
  assert.deepEqual(done, ['/b ']);
});

test('Enter before an answer with nothing in it does what Enter does in the box', () => {
  const { model, type, answer, done } = box();
  type('@5pm');
  assert.equal(model.key('choose'), true);
  answer([], { isPending: true });
  assert.deepEqual(done, []);
  answer([]);
  assert.deepEqual(done, ['enter']);
});

test('Enter that waits means its word, whatever is typed behind it meanwhile', () => {
  const { model, type, asked, answer, done } = box();
  type('see @ca');
  model.key('down');
  model.key('choose');
  for (const text of ['see @ca ', 'see @ca a', 'see @ca and @b']) {
    type(text);
    model.changed(text, text.length, 'moved');
  }
  assert.equal(asked.length, 1);
  answer(['@a.ts', '@cart.ts']);
  assert.deepEqual(done, ['see @cart.ts  and @b']);
});

test('Enter that waits is given up with the word that it was pressed behind', () => {
  const { model, type, answer, done, asked } = box();
  type('@ca');
  model.key('choose');
  type('@c');
  answer(['@cart.ts']);
  assert.deepEqual(done, []);
  type('@ca');
  model.key('choose');
  type('x @ca');
  model.changed('x @ca', 1, 'moved');
  answer(['@cart.ts'], {}, asked.at(-1)?.id);
  assert.deepEqual(done, []);
});

test('Enter with nothing to choose does what it does with the words in which it was pressed', () => {
  const { model, type, answer, entered } = box();
  type('at @5pm');
  model.key('choose');
  type('at @5pm and then');
  answer([]);
  assert.deepEqual(entered, [['at @5pm', 7]]);
});

test('Enter that is held down chooses once, whether the list is there or not', () => {
  const { model, type, answer, done } = box();
  type('@c');
  assert.equal(model.key('choose'), true);
  for (let n = 0; n < 3; n += 1) assert.equal(model.key('choose', true), true);
  answer(['@cart.ts']);
  assert.deepEqual(done, ['@cart.ts ']);
  type('@d');
  answer(['@d.ts', '@d2.ts']);
  assert.equal(model.key('choose', true), true);
  assert.deepEqual(done, ['@cart.ts '], 'it was pressed for what was there before');
  type('no word');
  assert.equal(model.key('choose', true), false);
});

test('a host that does not answer holds no key for ever', () => {
  const { model, type, clock, done } = box();
  type('/c');
  model.key('choose');
  clock.advance(PATIENCE_MS);
  assert.deepEqual(done, ['enter']);
  assert.equal(model.key('choose'), false);
});

test('what is seen can be chosen at once, although a slow source is still asked', () => {
  const { model, type, answer, done } = box();
  type('/c');
  answer(['/c1', '/c2'], { isPending: true });
  model.key('down');
  answer(['/c0', '/c1', '/c2'], { isPending: true });
  assert.equal(model.view.value?.rows[model.view.value.active]?.label, '/c2');
  model.key('choose');
  assert.deepEqual(done, ['/c2 ']);
});

test('Escape closes the list, for this word, whether it is drawn yet or not', () => {
  const { model, type, answer, drawn, asked } = box();
  type('/c');
  assert.equal(model.key('close'), true);
  answer(['/c']);
  assert.equal(drawn(), undefined);
  type('/co');
  assert.equal(asked.length, 1);
  assert.equal(model.key('close'), false, 'the next Escape is for the turn');
  type('');
  type('/');
  assert.equal(asked.length, 2);
});

test('with all of it typed there is nothing to choose: Enter sends', () => {
  const { model, type, answer, drawn } = box();
  type('/compact');
  answer(['/compact', '/compact-all'], { hint: 'what to keep' });
  assert.equal(drawn(), undefined);
  assert.equal(model.key('choose'), false);
  assert.equal(model.hint.value, 'what to keep');
});

test('an optional offer takes Enter only after the person has moved to it', () => {
  const { model, type, answer, active, done } = box();
  type('/plan id=x ');
  answer(['hours='], { isOptional: true });
  assert.equal(active(), -1);
  assert.equal(model.key('choose'), false);
  type('/plan id=x  ');
  answer(['hours='], { isOptional: true });
  model.key('down');
  assert.equal(model.key('choose'), true);
  assert.deepEqual(done, ['/plan id=x  hours= ']);
});

test('what was pasted, and a caret that passes by, open nothing', () => {
  const { type, asked, model, answer, drawn } = box();
  type('@Override', 'other');
  type('@Override', 'moved');
  assert.deepEqual(asked, []);
  type('@Ov');
  answer(['@Ov.ts', '@Ovx.ts']);
  assert.equal(drawn()?.length, 2);
  model.changed('@Ov', 0, 'moved');
  assert.equal(drawn(), undefined);
});

test('a source that failed is said although nothing was found, and Enter still sends', () => {
  const { type, answer, model } = box();
  type('@x');
  answer([], { notes: ['notes could not be asked: gone'] });
  assert.deepEqual(model.view.value?.notes, ['notes could not be asked: gone']);
  assert.equal(model.key('down'), false);
  assert.equal(model.key('choose'), false);
});

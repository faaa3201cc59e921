import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { AttachmentsModel } from '../../../src/webview/attachmentsModel';
import { ComposerModel, PREPARING_AFTER_MS } from '../../../src/webview/composerModel';
import { SUBMIT_WAIT_MS } from '../../../src/webview/submission';
import { HandClock } from './handClock';

function compose() {
  const clock = new HandClock();
  const posted: ViewMessage[] = [];
  let ids = 0;
  const post = (message: ViewMessage): void => void posted.push(message);
  const newId = (): string => `p${++ids}`;
  const never = (): Promise<never> => Promise.reject(new Error('no picture here'));
  const attachments = new AttachmentsModel({
    ...{ post, newId, look: never, encode: never, show: never },
  });
  const model = new ComposerModel({
    ...{ post, newId, attachments, timers: clock, now: () => clock.now },
    selection: () => undefined,
  });
  const submits = () => posted.filter((message) => message.type === 'submit');
  return { clock, posted, model, submits };
}

test('the box is cleared only once the host took the prompt', () => {
  const { model, submits } = compose();
  model.edit('  fix it ');
  model.submit();
  assert.deepEqual(submits(), [{ type: 'submit', promptId: 'p1', text: 'fix it' }]);
  assert.equal(model.text.value, '  fix it ');
  model.submitted('p1', undefined);
  assert.equal(model.text.value, '');
});

test('a message for the running turn says so', () => {
  const { model, submits } = compose();
  model.edit('not the tests');
  model.submit(true);
  assert.deepEqual(submits(), [
    { type: 'submit', promptId: 'p1', text: 'not the tests', steers: true },
  ]);
});

test('a refused prompt stays in the box and its reason is kept until the next try', () => {
  const { model } = compose();
  model.edit('fix it');
  model.submit();
  model.submitted('p1', 'No folder is open.');
  assert.equal(model.text.value, 'fix it');
  assert.equal(model.refused.value, 'No folder is open.');
  model.submit();
  assert.equal(model.refused.value, undefined);
});

test('pressing Send twice sends once, and a lost answer lets it go again under the same id', () => {
  const { model, clock, submits } = compose();
  model.edit('fix it');
  model.submit();
  model.submit();
  assert.equal(submits().length, 1);
  clock.advance(SUBMIT_WAIT_MS);
  model.submit();
  assert.deepEqual(new Set(submits().map((m) => m.promptId)), new Set(['p1']));
  assert.equal(submits().length, 2);
});

test('what was typed while the prompt was on its way stays', () => {
  const { model, posted } = compose();
  model.edit('one');
  model.submit();
  model.edit('one\ntwo');
  model.submitted('p1', undefined);
  assert.equal(model.text.value, 'two');
  assert.deepEqual(posted.at(-1), { type: 'draft', text: 'two' });
});

test('what went with blanks before it leaves the box, also where more was typed behind it', () => {
  for (const blanks of ['  ', '\n', '\n\n  ']) {
    const { model } = compose();
    model.edit(`${blanks}one`);
    model.submit();
    model.edit(`${blanks}one and two`);
    model.submitted('p1', undefined);
    assert.equal(model.text.value, 'and two');
  }
});

test('a suggestion is sent without touching what is typed', () => {
  const { model, submits } = compose();
  model.edit('half a thought');
  model.submitText('Review my changes.');
  model.submitted('p1', undefined);
  assert.equal(submits().length, 1);
  assert.equal(model.text.value, 'half a thought');
});

test('blanks are not sent', () => {
  const { model, submits } = compose();
  model.edit(' \n ');
  model.submit();
  assert.equal(submits().length, 0);
});

test('with another conversation its own draft stands in the box, and the last letters are not lost', () => {
  const { model, posted } = compose();
  model.start('one', [], 'b1');
  model.edit('one more');
  model.start('two', [], 'b2');
  assert.deepEqual(posted, [{ type: 'draft', text: 'one more', box: 'b1' }]);
  assert.equal(model.text.value, 'two');
  model.edit('two and');
  model.start('two', [], 'b2');
  assert.equal(model.text.value, 'two and');
  model.flush();
  assert.deepEqual(posted.at(-1), { type: 'draft', text: 'two and', box: 'b2' });
});

test('what becomes of a prompt whose conversation was left changes nothing in the box', () => {
  const { model } = compose();
  model.start('', [], 'b1');
  model.edit('say it');
  model.submit();
  model.start('say it again', [], 'b2');
  model.submitted('p1', undefined);
  assert.equal(model.text.value, 'say it again');
  model.submit();
  model.start('', [], 'b1');
  model.submitted('p2', 'No folder is open.');
  assert.deepEqual([model.text.value, model.refused.value], ['', undefined]);
  // One of a fork, which this box has never had, is told.
  model.submitted('p9', 'Not now.');
  assert.equal(model.refused.value, 'Not now.');
});

test('the draft of the first snapshot fills the box, later ones leave it alone', () => {
  const { model } = compose();
  model.start('kept');
  assert.equal(model.text.value, 'kept');
  model.edit('kept and more');
  model.start('kept');
  assert.equal(model.text.value, 'kept and more');
});

test('inserted text goes after what is there', () => {
  const { model } = compose();
  model.insert('a');
  model.insert('b');
  assert.equal(model.text.value, 'a\nb');
});

test('recall goes back through what the person said, each text once in turn, and forth again', () => {
  const { model } = compose();
  const items = [
    { kind: 'user' as const, id: '1', text: 'first' },
    { kind: 'user' as const, id: '2', text: 'second' },
    { kind: 'assistant' as const, id: '3', blocks: [] },
    { kind: 'user' as const, id: '4', text: 'second' },
    { kind: 'user' as const, id: '5', text: '', images: [] },
  ];
  const go = (by: 1 | -1): string => {
    model.recall(items, by);
    return model.text.value;
  };
  assert.deepEqual([go(1), go(1), go(1)], ['second', 'first', 'first']);
  assert.deepEqual([go(-1), go(-1)], ['second', '']);
  assert.equal(model.isRecalled, false);
  assert.equal(go(1), 'second');
  model.edit('second thoughts');
  assert.equal(model.isRecalled, false);
  model.edit('');
  assert.equal(go(1), 'second');
});

test('a row takes the place of its word, with one blank behind it and the caret there', () => {
  const { model } = compose();
  model.edit('see @ca and more');
  model.replace(4, 7, '@src/cart.ts ');
  assert.equal(model.text.value, 'see @src/cart.ts and more');
  assert.deepEqual(model.caret.value, { at: 17 });
  model.replace(0, 3, '/plan id=');
  assert.equal(model.text.value, '/plan id= @src/cart.ts and more');
});

test('before a sign of the sentence the word has no blank', () => {
  for (const behind of [', then', ')', '. ', '?']) {
    const { model } = compose();
    model.edit(`(see @ca${behind}`);
    model.replace(5, 8, '@src/cart.ts ');
    assert.equal(model.text.value, `(see @src/cart.ts${behind}`);
    assert.deepEqual(model.caret.value, { at: 17 });
  }
});

test('a message that is long on its way is said to be, until it is answered', () => {
  const { model, clock, posted } = compose();
  model.edit('see @a');
  model.submit();
  clock.advance(PREPARING_AFTER_MS - 1);
  assert.equal(model.preparing.value, false);
  clock.advance(1);
  assert.equal(model.preparing.value, true);
  model.cancel();
  assert.equal(posted.at(-1)?.type, 'cancelSubmit');
  model.submitted('p1', 'Stopped.');
  assert.deepEqual([model.preparing.value, model.text.value], [false, 'see @a']);
  model.submit();
  model.submitted('p2', undefined);
  clock.advance(PREPARING_AFTER_MS);
  assert.equal(model.preparing.value, false);
});

test('what is typed on behind Send, and sent before the answer, is the rest alone', () => {
  const { model, submits, clock } = compose();
  model.edit('first');
  model.submit();
  model.edit('first and second');
  model.submit();
  model.submit();
  assert.deepEqual(
    submits().map(({ text }) => text),
    ['first', 'and second'],
  );
  const [first, second] = submits();
  model.submitted(first?.promptId ?? '', undefined);
  assert.equal(model.text.value, 'and second');
  model.submitted(second?.promptId ?? '', undefined);
  assert.equal(model.text.value, '');
  model.edit('third');
  model.submit();
  clock.advance(SUBMIT_WAIT_MS);
  model.submit();
  const ids = submits().map(({ promptId }) => promptId);
  assert.equal(ids.at(-1), ids.at(-2), 'one whose answer is overdue goes once more, as the same');
});

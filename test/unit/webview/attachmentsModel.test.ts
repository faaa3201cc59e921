import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { MAX_IMAGES } from '../../../src/chat/imageProtocol';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { AttachmentsModel } from '../../../src/webview/attachmentsModel';
import { ComposerModel } from '../../../src/webview/composerModel';
import type { ReadyPicture } from '../../../src/webview/lookAtPicture';
import { HandClock } from './handClock';

const ready: ReadyPicture = {
  ...{ blob: new Blob(['xy']), mediaType: 'image/png', width: 4, height: 3, isScaled: false },
};
const file = (name?: string) => ({ name, blob: new Blob(['x']) });
/** Everything that waits for nothing but a turn of the loop has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function attach(
  look: (file: Blob, name: string) => Promise<ReadyPicture> = () => Promise.resolve(ready),
) {
  const posted: ViewMessage[] = [];
  const shown: { id?: string } = {};
  let ids = 0;
  const post = (message: ViewMessage): void => void posted.push(message);
  const attachments = new AttachmentsModel({
    ...{ post, look, newId: () => `i${++ids}` },
    encode: (blob) => blob.text(),
    show: () => Promise.resolve(),
  });
  const composer = new ComposerModel({
    ...{ post, attachments, timers: new HandClock(), now: () => 0, newId: () => `p${++ids}` },
    selection: () => shown.id,
  });
  const sent = (type: ViewMessage['type']) => posted.filter((message) => message.type === type);
  return { posted, shown, attachments, composer, sent };
}

test('a picture is handed to the host, then named in the draft', async () => {
  const { posted, attachments } = attach();
  attachments.add([file('a.png')]);
  assert.deepEqual(attachments.items.value, [{ id: 'i1', name: 'a.png', image: undefined }]);
  assert.deepEqual(posted, []);
  await attachments.settled();
  assert.deepEqual(posted, [
    { type: 'attach', id: 'i1', name: 'a.png', data: 'xy', width: 4, height: 3 },
    { type: 'draft', text: '', images: ['i1'] },
  ]);
  attachments.remove('i1');
  assert.deepEqual(posted.slice(2), [
    { type: 'draft', text: '' },
    { type: 'detach', id: 'i1' },
  ]);
});

test('letters that went with a picture, and were taken back at once, are not kept', async () => {
  const { attachments, composer, sent } = attach();
  composer.edit('mine');
  composer.flush();
  composer.edit('mine, secret');
  attachments.add([file('a.png')]);
  await attachments.settled();
  composer.edit('mine');
  composer.flush();
  const drafts = sent('draft').map((message) => message.type === 'draft' && message.text);
  assert.deepEqual(drafts, ['mine', 'mine, secret', 'mine']);
});

test('Send takes the pictures with the words, and they go once they were taken', async () => {
  const { attachments, composer, sent } = attach();
  composer.edit('what is this?');
  attachments.add([file('a.png'), file()]);
  await attachments.settled();
  composer.submit();
  composer.submit();
  assert.deepEqual(sent('submit'), [
    { type: 'submit', promptId: 'p3', text: 'what is this?', images: ['i1', 'i2'] },
  ]);
  composer.submitted('p3', 'not now');
  assert.equal(attachments.items.value.length, 2);
  composer.submit();
  composer.submitted('p4', undefined);
  assert.deepEqual([attachments.items.value, composer.text.value], [[], '']);
  assert.deepEqual(sent('draft').at(-1), { type: 'draft', text: '' });
});

test('a picture alone is a message; what an offer sends leaves it in the box', async () => {
  const { attachments, composer, sent } = attach();
  attachments.add([file('a.png')]);
  await attachments.settled();
  composer.submitText('Review my changes.');
  composer.submit();
  assert.deepEqual(
    sent('submit').map((message) => message.type === 'submit' && [message.text, message.images]),
    [
      ['Review my changes.', undefined],
      ['', ['i1']],
    ],
  );
});

test('Send waits for a picture that is being looked at, once however often it is pressed', async () => {
  const gate = createDeferred<ReadyPicture>();
  const { attachments, composer, sent } = attach(() => gate.promise);
  composer.edit('look');
  attachments.add([file('a.png')]);
  composer.submit();
  composer.submit();
  await settled();
  assert.deepEqual(sent('submit'), []);
  gate.resolve(ready);
  await settled();
  await settled();
  assert.deepEqual(sent('submit').length, 1);
});

test('a Send that waits for a picture sends what stood there, and not what is typed behind it', async () => {
  const gate = createDeferred<ReadyPicture>();
  const { attachments, composer, sent } = attach(() => gate.promise);
  composer.edit('look');
  attachments.add([file('a.png')]);
  composer.submit();
  composer.edit('look and half a wo');
  gate.resolve(ready);
  await settled();
  await settled();
  assert.deepEqual(sent('submit'), [
    { type: 'submit', promptId: 'p2', text: 'look', images: ['i1'] },
  ]);
  composer.submitted('p2', undefined);
  assert.deepEqual([composer.text.value, attachments.ids], ['and half a wo', []]);
});

test('a Send that waits for a picture sends no words that were changed since, until it is pressed anew', async () => {
  for (const isPressed of [false, true]) {
    const gate = createDeferred<ReadyPicture>();
    const { attachments, composer, sent } = attach(() => gate.promise);
    composer.edit('look');
    attachments.add([file('a.png')]);
    composer.submit();
    composer.edit('do not look');
    if (isPressed) composer.submit();
    gate.resolve(ready);
    await settled();
    await settled();
    const texts = sent('submit').map((message) => message.type === 'submit' && message.text);
    assert.deepEqual(texts, isPressed ? ['do not look'] : []);
  }
});

test('a picture that is still looked at stays with the conversation that is left', async () => {
  const gates = [createDeferred<ReadyPicture>(), createDeferred<ReadyPicture>()];
  let looked = 0;
  const { posted, attachments, composer, sent } = attach(
    () => gates[looked++]?.promise ?? Promise.reject(new Error('not asked for')),
  );
  composer.start('', [], 'one');
  composer.edit('look');
  attachments.add([file('a.png'), file('b.png')]);
  composer.start('another draft', [], 'two');
  assert.equal(attachments.isReading, false);
  composer.submit();
  assert.equal(sent('submit').length, 1, 'what is sent there waits for none of them');
  const before = posted.length;
  for (const gate of gates) gate.resolve(ready);
  await settled();
  await settled();
  const draft = { type: 'draft', text: 'look', box: 'one' };
  assert.deepEqual(
    posted.slice(before).map((message) => (message.type === 'attach' ? message.id : message)),
    ['i1', { ...draft, images: ['i1'] }, 'i2', { ...draft, images: ['i1', 'i2'] }],
  );
  assert.deepEqual(attachments.items.value, []);
  attachments.refused('i1', 'a.png is too large');
  assert.deepEqual(attachments.problems.value, [], 'nor is anything said of them');
});

test('a Send that waits for a picture sends nothing of the conversation that is here by then', async () => {
  const gate = createDeferred<ReadyPicture>();
  const { attachments, composer, sent } = attach(() => gate.promise);
  composer.start('', [], 'one');
  composer.edit('look');
  attachments.add([file('a.png')]);
  composer.submit();
  composer.start('a draft that is not done', [], 'two');
  gate.resolve(ready);
  await settled();
  await settled();
  assert.deepEqual(sent('submit'), []);
  composer.submit();
  assert.equal(sent('submit').length, 1, 'and holds back none of its own');
});

test('what cannot be attached is told, and holds back a Send that waited for it', async () => {
  const { attachments, composer, sent } = attach(() => Promise.reject(new Error('a is empty.')));
  composer.edit('look');
  attachments.add([file('a.png')]);
  composer.submit();
  await settled();
  await settled();
  assert.deepEqual(attachments.problems.value, ['a is empty.']);
  assert.deepEqual(attachments.items.value, []);
  assert.deepEqual(sent('submit'), []);
  composer.submit();
  assert.deepEqual(attachments.problems.value, []);
  assert.equal(sent('submit').length, 1);
});

test('one that is taken out while it is looked at is not sent', async () => {
  const gate = createDeferred<ReadyPicture>();
  const { attachments, sent } = attach(() => gate.promise);
  attachments.add([file('a.png')]);
  attachments.remove('i1');
  gate.resolve(ready);
  await attachments.settled();
  assert.deepEqual([sent('attach'), attachments.items.value], [[], []]);
});

test('the host may refuse one, and there is an end to how many', async () => {
  const { attachments } = attach();
  attachments.add(Array.from({ length: MAX_IMAGES + 3 }, () => file()));
  await attachments.settled();
  assert.equal(attachments.items.value.length, MAX_IMAGES);
  assert.match(attachments.problems.value.join(), /at most/);
  attachments.refused('i1', 'too large');
  assert.equal(attachments.items.value.length, MAX_IMAGES - 1);
  assert.ok(attachments.problems.value.includes('too large'));
});

test('pictures of the host are there at the start, and come back with an edited message', () => {
  const { attachments, composer, sent } = attach();
  const image = (id: string) => ({ id, name: id, mediaType: 'image/png' as const, bytes: 1 });
  composer.start('half', [image('a')]);
  assert.deepEqual(sent('draft'), []);
  attachments.put([image('a'), image('b')]);
  assert.deepEqual(attachments.ids, ['a', 'b']);
  assert.deepEqual(sent('draft'), [{ type: 'draft', text: 'half', images: ['a', 'b'] }]);
});

test('the selection that is shown goes with the box, and with nothing else', () => {
  const { composer, sent, shown } = attach();
  shown.id = 's7';
  composer.submit();
  assert.deepEqual(sent('submit'), [], 'by itself it is no message');
  composer.submitText('Review my changes.');
  composer.edit('explain');
  composer.submit();
  assert.deepEqual(
    sent('submit').map((message) => message.type === 'submit' && message.selection),
    [undefined, 's7'],
  );
});

test('what is said of some files does not take away what is said of others', async () => {
  const { attachments } = attach();
  attachments.add(Array.from({ length: MAX_IMAGES + 1 }, () => file('a.png')));
  attachments.tell('notes.txt: no picture');
  assert.equal(attachments.problems.value.length, 2);
  await attachments.settled();
  assert.equal(attachments.items.value.length, MAX_IMAGES);
});

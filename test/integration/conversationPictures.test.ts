import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { ImageRef } from '../../src/chat/imageProtocol';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { message, pause, say, type Script, text, toolUse } from '../harness/model/script';
import { pngBytes } from '../harness/pictureBytes';
import { type ConversationBench, createBench, isIdle, saidIn } from './conversationBench';

/** Pictures of messages, on their way to the real CLI and back from its files. */

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

/** What a host keeps. */
const files = new Map<string, Uint8Array>();
const images = { read: (id: string) => Promise.resolve(files.get(id)) };

async function bench(script: Script): Promise<ConversationBench> {
  const made = await createBench({ model: { script }, images });
  benches.push(made);
  return made;
}

function keep(name: string, bytes: Buffer): ImageRef {
  const id = randomUUID();
  files.set(id, bytes);
  return { id, name, mediaType: 'image/png', bytes: bytes.length };
}

const red = pngBytes(40, 30, [200, 0, 0]);
const blue = pngBytes(40, 30, [0, 0, 200]);

/** The pictures of the last message that the model got, and its texts. */
function lastSeen({ model }: ConversationBench) {
  const last = model.requests.filter((request) => !request.isSide).at(-1);
  const content = last?.body.messages.findLast(({ role }) => role === 'user')?.content ?? [];
  const blocks = typeof content === 'string' ? [] : content;
  return {
    pictures: blocks.flatMap((block) =>
      block.type === 'image' && isSource(block.source) ? [block.source.data] : [],
    ),
    texts: blocks.flatMap((block) => block.text ?? []),
  };
}

function isSource(value: unknown): value is { readonly data: string } {
  return typeof value === 'object' && value !== null && 'data' in value;
}

const imagesOf = (view: ViewState) =>
  view.items.flatMap((item) => (item.kind === 'user' ? [item.images ?? []] : []));

test('pictures reach the model before the words, in which mentions still count', async () => {
  const made = await bench([say('Two colours.')]);
  const sent = [keep('red.png', red), keep('blue.png', blue)];
  await made.conversation.submit(randomUUID(), 'compare with @src/a.ts', { images: sent });
  await made.until('the answer', (view) => saidIn(view).includes('colours') && isIdle(view));
  const { pictures, texts } = lastSeen(made);
  assert.deepEqual(pictures, [red.toString('base64'), blue.toString('base64')]);
  assert.ok(texts.some((words) => words.includes('compare with')));
  assert.ok(
    texts.some((words) => words.includes('export const one')),
    'the file was attached',
  );
  assert.deepEqual(imagesOf(made.view), [sent]);
  assert.deepEqual(await made.conversation.picture(sent[0]?.id ?? ''), {
    mediaType: 'image/png',
    data: red.toString('base64'),
  });
});

test('a picture without a word is a message, and is drawn again from the disk', async () => {
  const made = await bench([say('Red.'), say('Blue.')]);
  await made.conversation.submit(randomUUID(), '', { images: [keep('red.png', red)] });
  await made.until('the answer', (view) => saidIn(view).includes('Red.') && isIdle(view));
  await made.prompt('and which is this?');
  await made.until('both', (view) => saidIn(view).includes('Blue.') && isIdle(view));
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(kept);
  await next.until('the transcript', (view) => saidIn(view).includes('Blue.'));
  const [first, second] = imagesOf(next.view);
  assert.deepEqual([first?.length, second?.length], [1, 0]);
  const [image] = first ?? [];
  assert.ok(image);
  assert.notEqual(image.id, '', 'it has an id of its own');
  assert.equal((await next.conversation.picture(image.id))?.data, red.toString('base64'));
  assert.equal(await next.conversation.picture('unknown'), undefined);
});

test('a picture that waits in the queue is kept over a restart, and goes with its message', async () => {
  const never = new Promise<void>(() => undefined);
  const made = await bench([message([text('busy'), pause(never)]), say('Seen.')]);
  await made.prompt('first');
  await made.until('the stream', (view) => saidIn(view).includes('busy'));
  const image = keep('blue.png', blue);
  await made.conversation.submit('waiting', 'then this', { images: [image] });
  await made.until('the queue', (view) => view.queue.length === 1);
  assert.deepEqual(made.view.queue[0]?.images, [image]);
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(kept);
  await next.until('the queue', (view) => view.queue.some(({ id }) => id === 'waiting'));
  next.conversation.queueAction('waiting', 'sendNow');
  await next.until('the answer', (view) => saidIn(view).includes('Seen.') && isIdle(view));
  assert.deepEqual(lastSeen(made).pictures, [blue.toString('base64')]);
});

test('one that is sent into a running turn reaches it', async () => {
  const made = await bench([
    message([text('I look.'), toolUse('Bash', { command: 'sleep 3; echo done' })]),
    say('I see it.'),
  ]);
  await made.prompt('first');
  await made.until('the call', (view) => saidIn(view).includes('I look.'));
  await made.conversation.submit('aside', 'this one', { images: [keep('red.png', red)] });
  made.conversation.queueAction('aside', 'sendNow');
  await made.until('the card or the end', (view) => view.permissions.length > 0 || isIdle(view));
  for (const { id } of made.view.permissions) made.conversation.answerPermission(id, 'allowOnce');
  await made.until('the answer', (view) => saidIn(view).includes('I see it.') && isIdle(view));
  const all = JSON.stringify(made.model.requests.map(({ body }) => body.messages));
  assert.ok(all.includes(red.toString('base64')), 'the model has got it');
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(kept);
  await next.until('the transcript', (view) => saidIn(view).includes('I see it.'));
  assert.deepEqual(
    imagesOf(next.view).map((found) => found.length),
    [0, 1],
  );
});

test('a picture that is gone is told, and the message can be sent again', async () => {
  const made = await bench([say('Now.')]);
  const image = keep('gone.png', red);
  files.delete(image.id);
  await made.conversation.submit(randomUUID(), 'look', { images: [image] });
  await made.until('the alert', ({ status }) => status.kind === 'failed');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error');
  assert.match(alert.message, /gone\.png is not there any more/);
  files.set(image.id, red);
  made.conversation.retry(alert.id);
  await made.until('the answer', (view) => saidIn(view).includes('Now.') && isIdle(view));
  assert.deepEqual(lastSeen(made).pictures, [red.toString('base64')]);
});

test('an edited message comes back with its pictures', async () => {
  const never = new Promise<void>(() => undefined);
  const made = await bench([message([text('busy'), pause(never)])]);
  await made.prompt('first');
  await made.until('the stream', (view) => saidIn(view).includes('busy'));
  const image = keep('blue.png', blue);
  await made.conversation.submit('waiting', 'then this', { images: [image] });
  assert.deepEqual(made.conversation.queueAction('waiting', 'edit')?.images, [image]);
  await made.until('the empty queue', (view) => view.queue.length === 0);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { MAX_IMAGES, MAX_IMAGES_BYTES } from '../../../src/chat/imageProtocol';
import { tryParseViewMessage } from '../../../src/chat/viewProtocol';
import type { DirectMessage } from '../../../src/conversation/viewPump';
import { ImageStore } from '../../../src/host/imageStore';
import { type FoundFiles, ViewAttachments } from '../../../src/host/viewAttachments';
import { HEIC, pngBytes } from '../../harness/pictureBytes';
import { hubOf } from './hostFakes';

const ID = '0b8f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d';
const GONE = '2d9f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d';
const png = pngBytes(4, 3, [1, 2, 3]).toString('base64');
const attach = { type: 'attach', id: ID, name: 'a.png', data: png, width: 4, height: 3 } as const;

async function made(t: TestContext, found: FoundFiles = { pictures: [], mentions: [] }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay pictures '));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const images = new ImageStore({ folders: [folder], log: silentLogger, now: Date.now });
  t.after(() => images.flush());
  const { hub, made: conversations } = hubOf();
  const sent: DirectMessage[] = [];
  const done: string[] = [];
  const attachments = new ViewAttachments(
    hub.active,
    {
      images,
      choose: () => Promise.resolve(found),
      find: (uris) => {
        done.push(...uris);
        return Promise.resolve(found);
      },
      pasted: (text) => Promise.resolve(text === 'a\nb' ? '@src/a.ts:1-2' : undefined),
      openPicture: (file) => {
        done.push(path.basename(file));
        return Promise.resolve();
      },
    },
    (message) => sent.push(message),
  );
  return { attachments, place: hub.active, conversation: conversations[0]!, sent, done, images };
}

test('a picture is kept, and the draft of the place names it', async (t) => {
  const { attachments, place, sent } = await made(t);
  await attachments.handle(attach);
  attachments.draft([ID, GONE]);
  assert.deepEqual(
    place.draftImages.map(({ id, name, mediaType, width }) => [id, name, mediaType, width]),
    [[ID, 'a.png', 'image/png', 4]],
  );
  assert.deepEqual(sent, []);
  place.draft = 'words beside it';
  assert.equal(place.draftImages.length, 1);
  await attachments.handle({ type: 'detach', id: ID });
  attachments.draft([]);
  assert.deepEqual(place.draftImages, []);
});

test('one that cannot be sent is refused to the view that has it', async (t) => {
  const { attachments, sent } = await made(t);
  await attachments.handle({ ...attach, data: HEIC.toString('base64') });
  const [message] = sent;
  assert.ok(message?.type === 'attachRefused');
  assert.equal(message.id, ID);
  assert.match(message.reason, /HEIC/);
});

test('a message with a lost picture, or with too much, is refused', async (t) => {
  const { attachments } = await made(t);
  const image = { id: ID, name: 'a', mediaType: 'image/png', bytes: 10 } as const;
  assert.equal(attachments.refusal([image], 1), undefined);
  assert.match(attachments.refusal([image], 2) ?? '', /not there any more/);
  const large = { ...image, bytes: MAX_IMAGES_BYTES };
  assert.match(attachments.refusal([large, image], 2) ?? '', /15 MB; at most 15 MB/);
  // Such as of two messages that were taken out of the queue: said aloud, and what is typed is kept.
  const many = Array.from({ length: MAX_IMAGES + 1 }, () => image);
  assert.match(attachments.refusal(many, many.length) ?? '', /20 pictures at most/);
  const images = many.map(() => crypto.randomUUID());
  for (const message of [
    { type: 'submit', promptId: 'p', text: 'look', images },
    { type: 'draft', text: 'look', images },
  ]) {
    assert.deepEqual(tryParseViewMessage(message), message);
  }
});

test('a picture is handed out by its id, and one that is gone is told', async (t) => {
  const { attachments, conversation, sent, done } = await made(t);
  conversation.pictures.set(ID, { mediaType: 'image/png', data: png });
  await attachments.handle({ type: 'loadPicture', id: ID });
  await attachments.handle({ type: 'loadPicture', id: GONE });
  assert.deepEqual(sent, [
    { type: 'picture', id: ID, picture: { mediaType: 'image/png', data: png } },
    { type: 'picture', id: GONE },
  ]);
  await attachments.handle({ type: 'openPicture', id: ID });
  assert.deepEqual(done, [`${ID}.png`]);
});

test('an id of nobody opens nothing, takes nothing out and names no file', async (t) => {
  const { attachments, done, images } = await made(t);
  await attachments.handle(attach);
  for (const id of [GONE, '__proto__', 'constructor', '../../../etc/passwd', `../${ID}`, '']) {
    await assert.rejects(attachments.handle({ type: 'openPicture', id }), /not there any more/);
    await attachments.handle({ type: 'detach', id });
    assert.deepEqual([images.ref(id), await images.file(id)], [undefined, undefined], id);
  }
  assert.deepEqual(done, []);
  assert.ok(await images.file(ID), 'the one that is there stays');
});

test('chosen files go to the view: pictures to be looked at, others as mentions', async (t) => {
  const pictures = [{ name: 'a.png', data: png }];
  const { attachments, sent, done } = await made(t, {
    pictures,
    mentions: ['@src/a.ts', '@docs/'],
  });
  await attachments.handle({ type: 'dropFiles', uris: ['file:///w/a.png'] });
  assert.deepEqual(done, ['file:///w/a.png']);
  await attachments.handle({ type: 'chooseFiles' });
  const both = [
    { type: 'attachFiles', files: pictures },
    { type: 'insertText', text: '@src/a.ts @docs/ ', inline: true },
  ];
  assert.deepEqual(sent, [...both, ...both]);
  const none = await made(t);
  await none.attachments.handle({ type: 'chooseFiles' });
  assert.deepEqual(none.sent, []);
});

test('an id that is none, or too many of them, is no message of ours', () => {
  const many = Array.from({ length: 201 }, () => crypto.randomUUID());
  for (const message of [
    { ...attach, id: '../../x' },
    { ...attach, data: 7 },
    { type: 'draft', text: '', images: ['x'] },
    { type: 'submit', promptId: 'p', text: '', images: many },
    { type: 'dropFiles', uris: 'file:///a' },
  ]) {
    assert.equal(tryParseViewMessage(message), undefined);
  }
  assert.deepEqual(tryParseViewMessage(attach), attach);
});

test('code that was copied in an editor is answered with its lines, other text with nothing', async (t) => {
  const { attachments, sent } = await made(t);
  await attachments.handle({ type: 'pastedText', pasteId: 'p1', text: 'of a page\nelsewhere' });
  assert.deepEqual(sent, []);
  await attachments.handle({ type: 'pastedText', pasteId: 'p2', text: 'a\nb' });
  assert.deepEqual(sent, [{ type: 'pastedCode', pasteId: 'p2', mention: '@src/a.ts:1-2' }]);
  const long = { type: 'pastedText', pasteId: 'p3', text: 'x'.repeat(200_001) };
  assert.equal(tryParseViewMessage(long), undefined);
});

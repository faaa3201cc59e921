import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import type { SideQuestion } from '../../src/chat/sideProtocol';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { message, pause, say, text, type Turn } from '../harness/model/script';
import {
  type ConversationBench,
  createBench,
  createFakeBench,
  isIdle,
  saidIn,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const last = (view: ViewState): SideQuestion | undefined => view.side?.at(-1);
const isSettled = (view: ViewState): boolean =>
  last(view) !== undefined && last(view)?.state !== 'asking';

/** All that the CLI has written of its sessions. */
async function onDisk({ sandbox }: ConversationBench): Promise<string> {
  const projects = path.join(sandbox.home, '.claude', 'projects');
  const names = await readdir(projects, { recursive: true });
  const files = names.filter((name) => name.endsWith('.jsonl'));
  return (
    await Promise.all(files.map((name) => readFile(path.join(projects, name), 'utf8')))
  ).join();
}

test('a side question is answered while a turn runs, from what was said, and leaves no trace', async () => {
  const half = createDeferred<undefined>();
  const script = (turn: Turn) =>
    turn.prompt.includes('what was zqAside')
      ? say('It was *beside* it.')
      : message([text('The first half, '), pause(half.promise), text('and the second.')]);
  const made = await createBench({ model: { script } });
  benches.push(made);
  await made.prompt('tell me of zqMain');
  await made.until('half an answer', (view) => saidIn(view).includes('first half'));
  await made.prompt('/btw what was zqAside?');
  assert.deepEqual(
    made.view.queue.map(({ text: words }) => words),
    [],
    'it does not wait',
  );
  await made.until('its answer', isSettled);
  assert.deepEqual(
    [last(made.view)?.state, last(made.view)?.answer],
    ['answered', 'It was *beside* it.'],
  );
  assert.equal(made.view.status.kind, 'working', 'the turn goes on');
  const asked = made.model.requests.find(({ turn }) => turn.prompt.includes('zqAside'));
  assert.ok(JSON.stringify(asked?.body.messages).includes('zqMain'), 'it knows what was said');

  await made.prompt('/btw and what was zqAside before?');
  await made.until('the next answer', (view) => view.side?.length === 2 && isSettled(view));
  const again = made.model.requests.findLast(({ turn }) => turn.prompt.includes('zqAside before'));
  assert.ok(
    JSON.stringify(again?.body.messages).includes('It was *beside* it.'),
    'and what before',
  );

  half.resolve(undefined);
  await made.until('the turn is over', isIdle);
  assert.equal(saidIn(made.view), 'The first half, and the second.');
  assert.equal(made.view.items.filter(({ kind }) => kind === 'user').length, 1);
  const disk = await onDisk(made);
  assert.ok(disk.includes('zqMain') && !disk.includes('zqAside'), 'it is not on the disk');
  made.conversation.side.dismiss();
  await made.until('it is gone', (view) => view.side === undefined);
});

test('a side question can be the first thing that is asked', async () => {
  const made = await createBench({ model: { script: () => say('Nothing yet.') } });
  benches.push(made);
  await made.prompt('/btw what is here?');
  await made.until('its answer', isSettled);
  assert.equal(last(made.view)?.state, 'answered', last(made.view)?.answer);
  assert.deepEqual(made.view.items, []);
});

test('an older CLI that takes none is told of, and nothing else happens', async () => {
  const made = await createFakeBench({});
  benches.push(made);
  await made.prompt('/btw why?');
  await made.until('the reason', isSettled);
  assert.deepEqual(
    [last(made.view)?.state, last(made.view)?.answer],
    ['failed', 'This version of the CLI takes no side questions: update it.'],
  );
  assert.deepEqual(made.view.items, []);
});

test('a side question with a picture is refused, so that both stay in the box', async () => {
  const made = await createFakeBench({ turns: [] });
  benches.push(made);
  const picture = {
    id: crypto.randomUUID(),
    name: 'a.png',
    mediaType: 'image/png',
    bytes: 3,
  } as const;
  const outcome = await made.conversation.submit('p1', '/btw what is this?', { images: [picture] });
  assert.ok(!outcome.accepted && outcome.reason.includes('no pictures'));
  assert.equal(last(made.view), undefined);
});

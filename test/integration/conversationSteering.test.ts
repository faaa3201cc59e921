import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { message, say, toolUse } from '../harness/model/script';
import { createBench, createFakeBench, isIdle, saidIn } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript) {
  const made = await createFakeBench(script);
  benches.push(made);
  return made;
}
type Bench = Awaited<ReturnType<typeof bench>>;

const isWorking = ({ status }: Bench['view']): boolean =>
  status.kind === 'waitingForModel' || status.kind === 'working';

async function sentPrompts(made: Bench): Promise<string[]> {
  const lines = await made.fake.records('line');
  return lines.flatMap(({ line }) => {
    // Written by the host in the shape of a prompt.
    const message = JSON.parse(line) as { type: string; message?: { content: string } };
    return message.type === 'user' ? [message.message?.content ?? ''] : [];
  });
}

const isSaid = (item: Bench['view']['items'][number], text: string): boolean =>
  item.kind === 'user' && item.text === text;

test('a prompt sent into a turn and stopped at once waits, and starts no turn of its own', async () => {
  const made = await bench({ turns: [[{ deltas: 1 }, { hang: true }]] });
  await made.prompt('one');
  await made.until('work', isWorking);
  await made.prompt('two');
  await made.until('the queue', (view) => view.queue.length === 1);
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.conversation.stop();
  await made.until('it waits', (view) => view.queue.length === 1 && !isWorking(view));
  assert.ok(!made.view.items.some((item) => isSaid(item, 'two')));
  await made.prompt('three');
  await made.until(
    'the answer',
    (view) => isIdle(view) && view.items.some((item) => isSaid(item, 'three')),
  );
  assert.deepEqual(await sentPrompts(made), ['one', 'three']);
});

test('a message for the running turn waits to be read, and goes back to the queue with a Stop', async () => {
  const made = await bench({ turns: [[{ deltas: 1 }, { hang: true }]] });
  await made.prompt('one');
  await made.until('work', isWorking);
  await made.prompt('later');
  await made.conversation.submit('now', 'at once', { steers: true });
  await made.until('sent', ({ items }) =>
    items.some((item) => isSaid(item, 'at once') && item.kind === 'user' && item.waits === true),
  );
  assert.deepEqual(
    made.view.queue.map(({ text }) => text),
    ['later'],
  );
  await made.conversation.stop();
  await made.until('both wait', (view) => view.queue.length === 2);
  assert.ok(!made.view.items.some((item) => isSaid(item, 'at once')));
});

test('another order of what waits is there after a restart', async () => {
  const made = await bench({ turns: [[{ deltas: 1 }, { hang: true }]] });
  await made.prompt('one');
  await made.until('work', isWorking);
  for (const text of ['two', 'three']) await made.prompt(text);
  await made.until('the queue', (view) => view.queue.length === 2);
  made.conversation.queueAction(made.view.queue[1]?.id ?? '', 'moveUp');
  await made.until('the order', (view) => view.queue[0]?.text === 'three');
  assert.deepEqual(
    made.kept()?.queue.map(({ text }) => text),
    ['three', 'two'],
  );
  await made.conversation.stop();
});

for (const [how, end] of [
  ['Stop', undefined],
  ['a crash', { kill: 'SIGKILL' }],
] as const) {
  test(`a prompt sent into a turn that ${how} ends before it was read waits again`, async () => {
    const turn: FakeStep[] = [{ deltas: 1 }, end === undefined ? { hang: true } : { gate: 'now' }];
    const made = await bench({ turns: [end === undefined ? turn : [...turn, end]] });
    await made.prompt('one');
    await made.until('work', isWorking);
    await made.prompt('two');
    await made.until('the queue', (view) => view.queue.length === 1);
    made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
    await made.until('sent', ({ items }) => items.some((item) => isSaid(item, 'two')));
    if (end === undefined) await made.conversation.stop();
    else await made.fake.open('now');
    await made.until('it waits', (view) => view.queue.length === 1 && !isWorking(view));
    assert.deepEqual(
      made.view.items.filter((item) => item.kind === 'user').map(({ text }) => text),
      ['one'],
    );
    made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
    await made.until('sent', (view) => view.queue.length === 0 && view.items.length > 2);
    await made.conversation.stop();
  });
}

test('the real CLI folds a message for the running turn in behind the next result of a tool', async () => {
  const made = await createBench({
    model: {
      script: [message([toolUse('mcp__probe__store', { value: '1' })]), say('Both done.')],
    },
  });
  benches.push(made);
  const waits = ({ items }: Bench['view']): boolean | undefined =>
    items
      .flatMap((item) => (isSaid(item, 'and this too') ? [item] : []))
      .map((item) => item.kind === 'user' && item.waits === true)[0];
  await made.prompt('one');
  await made.until('the card', (view) => view.permissions.length === 1);
  await made.conversation.submit('now', 'and this too', { steers: true });
  await made.until('it waits', (view) => waits(view) === true);
  assert.equal(made.view.queue.length, 0);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', (view) => isIdle(view) && saidIn(view).includes('Both done.'));
  assert.equal(waits(made.view), false);
  const requests = made.model.requests.filter(({ isSide }) => !isSide);
  assert.equal(requests.length, 2);
  assert.ok(JSON.stringify(requests[1]?.body).includes('and this too'));
});

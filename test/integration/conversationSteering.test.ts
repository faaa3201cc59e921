import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { createFakeBench, isIdle } from './conversationBench';

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

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import type { FakeScript } from '../harness/fakeCli/fakeCliScript';
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

/** Lets every CLI of the bench answer `initialize`, however long that was put off. */
const open = (made: Bench) => writeFile(path.join(made.fake.folder, GATE), '');
const GATE = 'go';

async function pids(made: Bench): Promise<number[]> {
  return (await made.fake.records('start')).map(({ pid }) => pid);
}

async function living(made: Bench): Promise<number> {
  return (await pids(made)).filter((pid) => existsSync(`/proc/${pid}`)).length;
}

async function started(made: Bench, count: number): Promise<void> {
  const end = performance.now() + 60_000;
  while ((await pids(made)).length < count) {
    assert.ok(performance.now() < end, `waited a minute for start ${count}`);
    await tick();
  }
}

const isStarting = (made: Bench) =>
  made.until('the start', ({ status }) => status.kind === 'starting');

test('a start that takes its time is shown, and the prompt is answered once', async () => {
  const made = await bench({ initialize: { gate: GATE } });
  await made.prompt('one');
  await isStarting(made);
  await made.prompt('two');
  await started(made, 1);
  assert.equal(made.view.queue.length, 1);
  assert.equal(made.view.status.kind, 'starting');
  await open(made);
  await made.until('both answers', (view) => view.items.length === 4 && isIdle(view));
  assert.equal((await pids(made)).length, 1);
});

test('a prompt joins the start that the focus began, and from then on it shows', async () => {
  const made = await bench({ initialize: { gate: GATE } });
  made.conversation.prewarm();
  await started(made, 1);
  assert.equal(made.view.status.kind, 'idle', 'nobody waits for it yet');
  await made.prompt('one');
  await isStarting(made);
  made.conversation.prewarm();
  await open(made);
  await made.until('the answer', isIdle);
  assert.equal((await pids(made)).length, 1);
});

test('a start that was cancelled gives the prompt back, and the next try does not pile up', async () => {
  const made = await bench({ initialize: { gate: GATE } });
  for (let tries = 1; tries <= 4; tries += 1) {
    if (tries === 1) await made.prompt('one');
    else made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
    await isStarting(made);
    await started(made, tries);
    assert.equal(await living(made), 1, `try ${tries}: the one before is gone`);
    await made.conversation.stop();
    assert.equal(made.view.status.kind, 'idle');
    assert.deepEqual(made.view.items, []);
    assert.deepEqual(
      made.view.queue.map(({ text, held }) => [text, held]),
      [['one', true]],
    );
    assert.equal(await living(made), 0);
  }
  await open(made);
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.until('the answer', isIdle);
  assert.equal((await pids(made)).length, 5);
});

test('a cancelled prompt is put back into the input by Edit, and can be thrown away', async () => {
  const made = await bench({ initialize: { never: true } });
  await made.prompt('one');
  await started(made, 1);
  await made.conversation.stop();
  const id = made.view.queue[0]?.id ?? '';
  assert.equal(made.conversation.queueAction(id, 'edit')?.text, 'one');
  await made.until('an empty queue', ({ queue }) => queue.length === 0);
  assert.equal(await living(made), 0);
});

test('pressing Send, Stop and Send again faster than anything starts leaves one CLI', async () => {
  const made = await bench({});
  for (let round = 0; round < 5; round += 1) {
    made.conversation.prewarm();
    await made.prompt(`round ${round}`);
    void made.conversation.stop();
  }
  await made.prompt('last');
  await made.until('its answer', (view) => view.items.length === 2 && isIdle(view));
  assert.equal(await living(made), 1);
  assert.deepEqual(made.view.queue.map(({ text }) => text).sort(), [
    'round 0',
    'round 1',
    'round 2',
    'round 3',
    'round 4',
  ]);
});

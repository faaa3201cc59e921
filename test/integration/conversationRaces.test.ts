import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cliPidIn } from '../harness/model/cliPidIn';
import { message, pause, say, text, toolUse, type Script } from '../harness/model/script';
import {
  calculatorRegistry,
  createBench,
  isIdle,
  saidIn,
  type BenchOptions,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: Script, options: BenchOptions = {}) {
  const made = await createBench({ model: { script }, ...options });
  benches.push(made);
  return made;
}

test('Stop at any moment of a turn, and a prompt right behind it, end at rest with its answer', async () => {
  const made = await bench((turn) => say(`Answer to ${turn.prompt}.`));
  // The moments are what is varied here; nothing is waited for by them.
  for (const ms of [0, 1, 2, 4, 8, 16, 32, 64]) {
    made.conversation.submit(randomUUID(), `stopped ${ms}`);
    if (ms > 0) await delay(ms);
    const stopped = made.conversation.stop();
    await made.prompt(`kept ${ms}`);
    await stopped;
    await made.until(`the answer after ${ms} ms`, (view) => {
      const waiting = view.queue[0];
      if (waiting && view.status.kind === 'idle') {
        made.conversation.queueAction(waiting.id, 'sendNow');
      }
      return saidIn(view).includes(`Answer to kept ${ms}.`) && isIdle(view);
    });
  }
  assert.ok(made.view.items.every((item) => item.kind !== 'error'));
});

test('a prompt sent now that Stop takes back at the CLI waits again', async () => {
  const made = await bench((turn) =>
    turn.prompt === 'long'
      ? message([text('Once'), pause(new Promise(() => undefined))])
      : say(`Answer to ${turn.prompt}.`),
  );
  await made.prompt('long');
  await made.until('text', (view) => saidIn(view) === 'Once');
  await made.prompt('now');
  await made.until('the queue', (view) => view.queue.length === 1);
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.until('sent', (view) => view.items.at(-1)?.kind === 'user');
  await made.conversation.stop();
  await made.until('it waits', (view) => view.queue[0]?.text === 'now' && isIdle(view));
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.until('the answer', (view) => saidIn(view).includes('Answer to now.') && isIdle(view));
});

test('two conversations on one registry do not answer for each other, and one outlives the other', async () => {
  const registry = calculatorRegistry();
  const script: Script = (turn) =>
    turn.step === 0
      ? message(
          ['echo', 'store'].map((name) => toolUse(`mcp__probe__${name}`, { value: turn.prompt })),
        )
      : say(turn.results.map((result) => result.text).join(', '));
  const [one, two] = await Promise.all([bench(script, { registry }), bench(script, { registry })]);
  await Promise.all([one.prompt('A'), two.prompt('B')]);
  for (const made of [one, two]) {
    await made.until('the card', (view) => view.permissions.length === 1);
  }
  two.conversation.answerPermission(one.view.permissions[0]?.id ?? '', 'allowOnce');
  assert.equal(one.view.permissions.length, 1);
  await one.conversation.dispose();
  two.conversation.answerPermission(two.view.permissions[0]?.id ?? '', 'allowOnce');
  await two.until('the answer', isIdle);
  assert.equal(saidIn(two.view), 'echo B, stored B');
});

test('a conversation whose session file is gone goes on without it, and says so', async () => {
  const made = await bench((turn) => say(`Answer to ${turn.prompt}.`));
  await made.prompt('first');
  await made.until('the answer', isIdle);
  await made.conversation.setMode('acceptEdits');
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('its end', (view) => view.items.at(-1)?.kind === 'notice');
  await rm(path.join(made.sandbox.home, '.claude', 'projects'), { recursive: true });
  await made.prompt('second');
  await made.until('the answer', (view) => saidIn(view).includes('second') && isIdle(view));
  const notices = made.view.items.filter((item) => item.kind === 'notice');
  assert.match(notices.at(-1)?.text ?? '', /no longer has this conversation/);
  assert.equal(made.view.mode, 'acceptEdits', 'the mode chosen before holds');
});

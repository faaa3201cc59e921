import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import type { ApiConversation } from '../../../src/host/patchbayApi';
import { pendingConversation } from '../../../src/host/pendingConversation';

/** One that takes so many prompts, and has ended then. */
function conversation(takes: number) {
  const said: string[] = [];
  const made: ApiConversation = {
    send: (prompt) => {
      if (said.length >= takes) throw new Error('The conversation has ended');
      said.push(prompt);
    },
    dispose: () => void said.push('disposed'),
    async *[Symbol.asyncIterator]() {
      await Promise.resolve();
      yield { type: 'text', text: said.join() };
      if (takes === 0) throw new Error('aborted');
    },
  };
  return { made, said };
}

async function texts(all: ApiConversation): Promise<string[]> {
  const found: string[] = [];
  for await (const message of all) if (message.type === 'text') found.push(message.text);
  return found;
}

test('What is said before the start waits for it, in its order, and what is said later does not', async () => {
  const started = createDeferred<ApiConversation>();
  const { made, said } = conversation(9);
  const pending = pendingConversation(started.promise);
  pending.send('one');
  pending.send('two');
  started.resolve(made);
  await started.promise;
  pending.send('three');
  assert.deepEqual(said, ['one', 'two', 'three']);
  assert.deepEqual(await texts(pending), ['one,two,three']);
  pending.dispose();
  await new Promise(setImmediate);
  assert.equal(said.at(-1), 'disposed');
});

for (const takes of [0, 1]) {
  test(`What was said to one that has ended at its start rejects nothing that nobody sees: ${takes} taken`, async () => {
    const { made, said } = conversation(takes);
    const pending = pendingConversation(Promise.resolve(made));
    pending.send('one');
    pending.send('two');
    // An unhandled rejection would fail this file.
    await new Promise(setImmediate);
    assert.deepEqual(said, ['one'].slice(0, takes));
    assert.throws(() => {
      pending.send('three');
    }, /has ended/);
    if (takes === 0) await assert.rejects(texts(pending), /aborted/);
  });
}

test('Whoever iterates gets the reason why it could not start, and whoever says more that it has ended', async () => {
  const pending = pendingConversation(Promise.reject(new Error('not allowed')));
  pending.send('one');
  await new Promise(setImmediate);
  assert.throws(() => {
    pending.send('two');
  }, /The conversation has ended/);
  pending.dispose();
  await assert.rejects(texts(pending), /not allowed/);
});

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
  const pending = pendingConversation(() => started.promise);
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
    const pending = pendingConversation(() => Promise.resolve(made));
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
  const pending = pendingConversation(() => Promise.reject(new Error('not allowed')));
  pending.send('one');
  await new Promise(setImmediate);
  assert.throws(() => {
    pending.send('two');
  }, /The conversation has ended/);
  pending.dispose();
  await assert.rejects(texts(pending), /not allowed/);
});

for (const after of ['never', 'at last', 'with an error'] as const) {
  test(`One that is disposed of before it has started has ended, and what starts ${after} is ended too`, async () => {
    const started = createDeferred<ApiConversation>();
    const { made, said } = conversation(9);
    let signal: AbortSignal | undefined;
    const pending = pendingConversation((given) => {
      signal = given;
      return started.promise;
    });
    const first = texts(pending);
    pending.send('one');
    pending.dispose();
    assert.equal(signal?.aborted, true, 'whoever starts it is told');
    assert.throws(() => {
      pending.send('two');
    }, /has ended/);
    assert.deepEqual([await first, await texts(pending)], [[], []]);
    if (after === 'at last') started.resolve(made);
    if (after === 'with an error') started.reject(new Error('given up'));
    await new Promise(setImmediate);
    assert.deepEqual(said, after === 'at last' ? ['disposed'] : []);
    assert.throws(() => {
      pending.send('three');
    }, /has ended/);
    pending.dispose();
    assert.deepEqual(await texts(pending), []);
  });
}

test('One that is disposed of as it starts, and after it, ends without an error', async () => {
  for (const turns of [0, 1, 2, 5]) {
    const { made, said } = conversation(9);
    const pending = pendingConversation(() => Promise.resolve(made));
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    pending.dispose();
    assert.throws(() => {
      pending.send('late');
    }, /has ended/);
    await texts(pending);
    await new Promise(setImmediate);
    assert.deepEqual(said, ['disposed'], `after ${turns} turns`);
  }
});

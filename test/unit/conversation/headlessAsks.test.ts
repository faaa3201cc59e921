import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { createHeadlessAsks, type HeadlessAsker } from '../../../src/conversation/headlessAsks';

const form = { subtype: 'elicitation', mcp_server_name: 'ext' } as const;

function ask(asker: HeadlessAsker, signal = new AbortController().signal) {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (text: string) => warnings.push(text) };
  return { warnings, answer: createHeadlessAsks(asker, log).elicit(form, signal) };
}

test('an asker that throws, rejects or answers something else means no, and the log has the reason', async () => {
  const bad: readonly HeadlessAsker[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken')),
    () => 'yes',
    () => undefined,
    () => ({ action: 'submit', content: {} }),
  ];
  for (const asker of bad) {
    const { warnings, answer } = ask(asker);
    assert.deepEqual(await answer, { action: 'decline' });
    assert.equal(warnings.length, 1);
  }
});

test('an accept without an object has empty content; where nobody waits any more it is a cancel', async () => {
  assert.deepEqual(await ask(() => ({ action: 'accept', content: 7 })).answer, {
    action: 'accept',
    content: {},
  });
  assert.deepEqual(await ask(() => ({ action: 'cancel' })).answer, { action: 'cancel' });
  const abort = new AbortController();
  const { warnings, answer } = ask(() => new Promise(() => undefined), abort.signal);
  abort.abort();
  assert.deepEqual([await answer, warnings], [{ action: 'cancel' }, []]);
});

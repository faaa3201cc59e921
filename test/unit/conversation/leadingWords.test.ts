import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeadingWords } from '../../../src/conversation/leadingWords';

const LEAD = { id: 'lead', text: 'why I stopped', leads: true } as const;

test('words that go before a message wait on where it is refused, or cannot be looked at at all', async () => {
  const done: string[] = [];
  const sent: string[] = [];
  const leading = new LeadingWords(
    () => [LEAD],
    (id) => done.push(id),
  );
  const reason = new Error('gone');
  const outcomes = [
    Promise.reject(reason),
    Promise.resolve({ accepted: false as const, reason: 'no' }),
    Promise.resolve({ accepted: true as const }),
  ];
  for (const outcome of outcomes) {
    const settled = leading.send('go', (whole) => {
      sent.push(whole);
      return outcome;
    });
    await Promise.resolve(settled).catch((error: unknown) => assert.equal(error, reason));
  }
  assert.deepEqual(sent, Array(3).fill('why I stopped\n\ngo'));
  assert.deepEqual(done, ['lead']);
});

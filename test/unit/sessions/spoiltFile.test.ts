import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Chat } from '../chat/chatHarness';
import { lineOf, spoiltMessage } from '../protocol/hostileJson';
import { CWD, outline, prompt, read } from './sessionFixture';

const spoiltRow = spoiltMessage.filter(({ type }) => type === 'user' || type === 'assistant');

test('A file in which every row is spoilt is read and drawn without a fault, and its last prompt is there', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoiltRow, { maxLength: 30 }), async (rows) => {
      const parent = (at: number): string | null => (at === 0 ? null : `row-${at - 1}`);
      const lines = rows.map((row, at) =>
        // The chain is whole: what is spoilt is what it holds.
        lineOf({ ...row, uuid: `row-${at}`, parentUuid: parent(at), cwd: CWD }),
      );
      const last = prompt('last', parent(rows.length), 'the last words');
      const stored = await read(t, [...lines, last]);
      assert.equal(outline(stored).at(-1), 'user: the last words');
      const chat = new Chat().apply({
        type: 'restored',
        messages: stored?.messages ?? [],
        isInterrupted: true,
        isCut: false,
      });
      assert.ok(chat.items.some((item) => item.kind === 'user' && item.text === 'the last words'));
    }),
    { numRuns: 40 },
  );
});

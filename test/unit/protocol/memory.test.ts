import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { test } from 'node:test';
import { createLineFramer } from '../../../src/protocol/lineFramer';
import { createMessageReader } from '../../../src/protocol/messageReader';
import { heapInUse } from '../../harness/heapInUse';

const CHUNK = 64 * 1024;
const CHUNKS = 400;
const MB = 1024 * 1024;

/** A chunk of the CLI's output: one piece of a message of its own, and much that nobody keeps. */
function chunkOf(number: number): Buffer {
  const piece = JSON.stringify({
    type: 'stream_event',
    event: {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: `The text of piece ${number}, longer than a few letters` },
    },
    session_id: 'session',
    parent_tool_use_id: null,
    uuid: `uuid-of-piece-${number}`,
    api_message_id: `message-with-a-long-id-${number}`,
  });
  const rest = `${JSON.stringify({ type: 'keep_alive', filler: 'x'.repeat(1000) })}\n`;
  return Buffer.from(`${piece}\n${rest.repeat(CHUNK / rest.length)}`);
}

test('The id and the text of a message do not keep the chunk in memory that they came in', async () => {
  const kept: unknown[] = [];
  const reader = createMessageReader();
  const framer = createLineFramer({
    onLine: (line) => {
      const parsed = reader.read(line);
      if (!parsed.ok || parsed.message.type !== 'stream_event') return;
      const { event, api_message_id } = parsed.message;
      if (event.type === 'content_block_delta') kept.push(api_message_id, event.delta);
    },
    onFault: () => assert.fail('No line is too long'),
    decode: (bytes, start, end) => Buffer.from(bytes).toString('utf8', start, end),
    isAscii,
  });
  const before = await heapInUse();
  for (let number = 0; number < CHUNKS; number += 1) framer.push(chunkOf(number));
  const grown = (await heapInUse()) - before;
  assert.equal(kept.length, CHUNKS * 2);
  assert.ok(grown < 2 * MB, `${(grown / MB).toFixed(1)} MB for ${CHUNKS} pieces`);
});

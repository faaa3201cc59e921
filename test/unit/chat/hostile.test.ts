import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPermissionCard } from '../../../src/chat/permissionCard';
import { parseMessage } from '../../../src/protocol/messages';
import { deepText, lineOf, spoiltMessage } from '../protocol/hostileJson';
import { Chat } from './chatHarness';

/** Through the parser, as a line of the CLI; a question becomes its card, as in the product. */
function hear(chat: Chat, line: string): void {
  const parsed = parseMessage(line);
  if (!parsed.ok) return;
  const { message } = parsed;
  if (message.type === 'control_request' && message.request.subtype === 'can_use_tool') {
    const requestId = String(message.request_id);
    const card = createPermissionCard({ requestId, request: message.request, folder: '/ws' });
    chat.apply({ type: 'permissionRequested', card });
  } else chat.apply({ type: 'message', message });
}

test('Messages that are spoilt anywhere, in any order, throw nothing, and the patches lead to the state', () => {
  fc.assert(
    fc.property(fc.array(spoiltMessage, { maxLength: 40 }), (messages) => {
      const chat = new Chat().prompt('x');
      for (const message of messages) {
        hear(chat, lineOf(message));
        if (messages.length % 3 === 0) chat.sync();
      }
      chat.sync();
      assert.ok(JSON.stringify(chat.view).length < 5_000_000, 'what a view gets is bounded');
    }),
    { numRuns: 150 },
  );
});

test('Any number may be the index of a block, and costs nothing', () => {
  const delta = (index: number) =>
    `{"type":"stream_event","api_message_id":"m","event":{"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":"at ${index}"}}}`;
  const whole = (text: string, uuid: string) =>
    `{"type":"assistant","uuid":"${uuid}","message":{"id":"m","content":[{"type":"text","text":"${text}"}]}}`;
  const chat = new Chat().prompt('x');
  for (const index of [0, 9_007_199_254_740_991, 1e300, -1, 0.5]) hear(chat, delta(index));
  hear(chat, whole('at 0', 'a'));
  hear(chat, whole('at 0.5 and more', 'b'));
  hear(chat, whole('never streamed', 'c'));
  const texts = chat.blocks.map((block) => (block.kind === 'text' ? block.text : block.kind));
  assert.deepEqual(texts.slice(0, 3), ['at 0', 'at 9007199254740991', 'at 1e+300']);
  assert.ok(texts.includes('at 0.5 and more') && texts.includes('never streamed'));
});

test('An input of a hundred thousand brackets is a row and a card like any other', () => {
  const deep = deepText(100_000);
  const chat = new Chat().prompt('x');
  hear(
    chat,
    `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"mcp__x__y","input":{"a":${deep}}}]}}`,
  );
  hear(
    chat,
    `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"mcp__x__y","tool_use_id":"t","input":{"a":${deep}}}}`,
  );
  const [block] = chat.blocks;
  assert.ok(block?.kind === 'tool' && block.input.length < 200_000);
  assert.equal(chat.state.permissions.length, 1);
  assert.match(chat.state.permissions[0]?.body ?? '', /^\{\n {2}"a": \[/);
});

test('A result of thousands of parts is a row with a bounded list', () => {
  const parts = Array.from({ length: 5000 }, () => ({ type: 'image', source: { type: 'url' } }));
  const chat = new Chat().prompt('x');
  hear(
    chat,
    '{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}}',
  );
  const content = [{ type: 'tool_result', tool_use_id: 't', content: parts }];
  hear(chat, JSON.stringify({ type: 'user', message: { content } }));
  const [block] = chat.blocks;
  assert.ok(block?.kind === 'tool');
  assert.equal(block.result?.attachments?.length, 51);
  assert.match(block.result.attachments.at(-1) ?? '', /4950/);
});

test('A question about a call that was never seen stands as a card, and its answer harms nothing', () => {
  const ask =
    '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"never","input":{"command":"x"}}}';
  for (const outcome of ['allowed', 'denied', 'withdrawn'] as const) {
    const chat = new Chat().prompt('x');
    hear(chat, ask);
    assert.equal(chat.state.permissions[0]?.body, 'x');
    assert.equal(chat.state.status.kind, 'waitingForPermission');
    chat.apply({ type: 'permissionSettled', cardId: 'r', outcome, toolUseId: 'never' });
    assert.deepEqual(chat.state.permissions, []);
    assert.deepEqual(chat.blocks, []);
  }
});

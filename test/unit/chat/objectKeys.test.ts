import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPermissionCard } from '../../../src/chat/permissionCard';
import { tryParseViewMessage, viewMessageSchema } from '../../../src/chat/viewProtocol';
import { parseMessage } from '../../../src/protocol/messages';
import { Chat } from './chatHarness';

/** Keys that every object has without being given them. */
const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

/** What every object has, so that a change of it is seen. */
function shared(): string {
  const { prototype } = Object;
  return JSON.stringify([
    Object.getOwnPropertyNames(prototype),
    'polluted' in {},
    typeof {}.toString,
  ]);
}

const before = shared();

/** Messages as the CLI writes them, each id and name of which is the key. */
function linesWith(key: string): readonly string[] {
  const word = JSON.stringify(key);
  const own = `{${word}:{"polluted":true,"x":"y"},"command":"ls"}`;
  const block = `{"type":"tool_use","id":${word},"name":${word},"input":${own}}`;
  const result = `{"type":"tool_result","tool_use_id":${word},"content":"out","is_error":false}`;
  const start = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`;
  const delta = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"said"}}`;
  return [
    `{"type":"stream_event","api_message_id":${word},"event":${start},${word}:${own}}`,
    `{"type":"stream_event","api_message_id":${word},"event":${delta}}`,
    `{"type":"assistant","uuid":${word},"message":{"id":${word},"content":[{"type":"text","text":"said"}]}}`,
    `{"type":"assistant","uuid":"b","message":{"id":"m2","content":[${block}]}}`,
    `{"type":"user","message":{"role":"user","content":[${result}]},"tool_use_result":${own}}`,
    `{"type":"system","subtype":"task_started","task_id":${word},"tool_use_id":${word},"description":"d"}`,
    `{"type":"command_lifecycle","command_uuid":${word},"state":"started"}`,
    `{"type":${word},${word}:${own}}`,
    `{"type":"system","subtype":${word},${word}:${own}}`,
  ];
}

for (const key of KEYS) {
  test(`ids, names and keys of the CLI may be called ${key}`, () => {
    const chat = new Chat().prompt('x');
    for (const line of linesWith(key)) {
      const parsed = parseMessage(line);
      if (parsed.ok) chat.apply({ type: 'message', message: parsed.message });
    }
    const input = JSON.parse(`{${JSON.stringify(key)}:1,"command":"ls"}`) as Record<
      string,
      unknown
    >;
    const request = { tool_name: key, input, tool_use_id: key };
    const card = createPermissionCard({ requestId: key, request, folder: '/ws' });
    chat.apply({ type: 'permissionRequested', card });
    chat.sync();
    assert.ok(chat.blocks.some((block) => block.kind === 'text' && block.text === 'said'));
    const call = chat.blocks.find((block) => block.kind === 'tool');
    assert.deepEqual([call?.id, call?.name, call?.state], [key, key, 'done']);
    assert.match(call?.input ?? '', new RegExp(`"${key}"`), 'its input is shown whole');
    assert.deepEqual(
      chat.view.permissions.map(({ id }) => id),
      [key],
    );
    chat.apply({ type: 'permissionSettled', cardId: key, outcome: 'denied', toolUseId: key });
    chat.sync();
    assert.deepEqual(chat.view.permissions, []);
    assert.equal(shared(), before);
  });

  test(`a message of the page that has ${key} as a key or a kind is read as any other`, () => {
    const word = JSON.stringify(key);
    assert.equal(tryParseViewMessage(JSON.parse(`{"type":${word}}`)), undefined);
    const draft = `{${word}:"typed"}`;
    const asked: unknown = JSON.parse(
      `{"type":"askDraft","cardId":${word},"draft":${draft},${word}:{"polluted":true}}`,
    );
    const message = tryParseViewMessage(asked);
    assert.ok(message?.type === 'askDraft');
    assert.equal(message.cardId, key);
    assert.deepEqual(Object.keys(message).sort(), ['cardId', 'draft', 'type']);
    assert.equal(Object.getPrototypeOf(message.draft), Object.prototype);
    assert.equal('polluted' in message, false);
    for (const { def } of viewMessageSchema.def.options) {
      const [type] = def.shape.type.def.values;
      tryParseViewMessage(JSON.parse(`{"type":${JSON.stringify(type)},${word}:{"polluted":true}}`));
    }
    assert.equal(shared(), before);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMessage, type CliMessage, type ParsedLine } from '../../../src/protocol/messages';
import { fit } from '../../../src/protocol/lazySchema';
import { isKnownDeltaMessage, knownDeltaMessageSchema } from '../../../src/protocol/streamEvents';

function parsed(value: unknown): CliMessage {
  const result = parseMessage(JSON.stringify(value));
  assert.ok(result.ok, JSON.stringify(result));
  return result.message;
}

function refused(line: string): Exclude<ParsedLine, { ok: true }> {
  const result = parseMessage(line);
  assert.ok(!result.ok);
  return result;
}

const deltaLine = (delta: unknown, more: object = {}) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta },
  api_message_id: 'msg_1',
  parent_tool_use_id: null,
  ...more,
});

test('What is no message is noise: banners, half lines, arrays, null, objects without a type', () => {
  for (const line of [
    'Now using node v20.0.0',
    '{"type":"assist',
    '[1,2]',
    'null',
    '{}',
    '7',
    '',
  ]) {
    assert.equal(refused(line).kind, 'noise', line);
  }
});

test('A known type that does not fit is corrupt, with the place', () => {
  const places = [
    [{ type: 'assistant' }, 'message'],
    [{ type: 'user', message: { content: 5 } }, 'message.content'],
    [
      deltaLine({ type: 'text_delta', text: 'x' }, { event: { type: 'message_start' } }),
      'event.message',
    ],
    [{ type: 'control_request', request: {} }, 'request_id'],
    [{ type: 'control_response', response: { subtype: 'success' } }, 'response.request_id'],
    [{ type: 'command_lifecycle', state: 'queued' }, 'command_uuid'],
  ] as const;
  for (const [value, place] of places) {
    const result = refused(JSON.stringify(value));
    assert.ok(result.kind === 'corrupt');
    assert.equal(result.type, value.type);
    assert.ok(result.place.startsWith(`${place}:`), result.place);
  }
});

test('Types, subtypes, blocks, events and deltas from the future are kept whole (T06)', () => {
  const raw = { type: 'zz_new', n: [1] };
  assert.deepEqual(parsed(raw), { type: 'unknown', raw });
  const system = { type: 'system', subtype: 'zz', n: 1 };
  assert.deepEqual(parsed(system), { type: 'system', subtype: 'unknown', name: 'zz', raw: system });
  const assistant = parsed({
    type: 'assistant',
    message: {
      id: 'm2',
      content: [
        { type: 'zz_block', n: 1 },
        { type: 'text', text: 'ok' },
      ],
    },
  });
  assert.ok(assistant.type === 'assistant');
  assert.deepEqual(assistant.message.content, [
    { type: 'unknown', raw: { type: 'zz_block', n: 1 } },
    { type: 'text', text: 'ok' },
  ]);
  const event = parsed({ type: 'stream_event', event: { type: 'zz_event' } });
  assert.ok(event.type === 'stream_event');
  assert.deepEqual(event.event, { type: 'unknown', raw: { type: 'zz_event' } });
  const delta = parsed(deltaLine({ type: 'zz_delta' }));
  assert.ok(delta.type === 'stream_event' && delta.event.type === 'content_block_delta');
  assert.deepEqual(delta.event.delta, { type: 'unknown', raw: { type: 'zz_delta' } });
  assert.equal(
    parsed({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }).type,
    'rate_limit_event',
  );
  assert.equal(parsed({ type: 'tool_progress', tool_use_id: 't1' }).type, 'tool_progress');
});

test('Names that every object has are no kinds', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.equal(parsed({ type: name }).type, 'unknown');
    const system = parsed({ type: 'system', subtype: name });
    assert.ok(system.type === 'system' && system.subtype === 'unknown');
    const request = parsed({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: name },
    });
    assert.ok(request.type === 'control_request' && request.request.subtype === 'unknown');
    const event = parsed({ type: 'stream_event', event: { type: name } });
    assert.ok(event.type === 'stream_event' && event.event.type === 'unknown');
  }
});

test('A detail of an unexpected type is dropped, and its message lives', () => {
  const result = parsed({ type: 'result', subtype: 'success', num_turns: 'many', result: 'ok' });
  assert.ok(result.type === 'result');
  assert.equal(result.num_turns, undefined);
  assert.equal(result.result, 'ok');
});

test('A tool result holds a string or blocks, and blocks in it are parsed too', () => {
  const user = parsed({
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'text' },
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: [{ type: 'text', text: 'x' }, { type: 'zz' }],
        },
      ],
    },
  });
  assert.ok(user.type === 'user' && Array.isArray(user.message.content));
  const [first, second] = user.message.content;
  assert.ok(first?.type === 'tool_result' && first.content === 'text');
  assert.ok(second?.type === 'tool_result' && Array.isArray(second.content));
  assert.deepEqual(
    second.content.map(({ type }) => type),
    ['text', 'unknown'],
  );
});

test('Both wires of in-process servers become one request, whatever the message is', () => {
  for (const subtype of ['mcp_message', 'sdk_mcp_request']) {
    for (const key of ['server_name', 'serverName']) {
      const message = parsed({
        type: 'control_request',
        request_id: 'r1',
        request: { subtype, [key]: 'editor', message: [1] },
      });
      assert.ok(message.type === 'control_request');
      assert.deepEqual(message.request, {
        subtype: 'mcp_message',
        server_name: 'editor',
        message: [1],
      });
    }
  }
});

test('A request of a known subtype that does not fit is still a request, with the place', () => {
  const message = parsed({
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash' },
  });
  assert.ok(message.type === 'control_request' && message.request.subtype === 'malformed');
  assert.match(message.request.place, /^input:/);
});

test('The input of a tool is handed on unchanged, with own keys named __proto__ and constructor (T11)', () => {
  const input = '{"command":"a\u202Eb","constructor":1,"__proto__":{"x":1}}';
  const result = parseMessage(
    `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":${input}}}`,
  );
  assert.ok(result.ok && result.message.type === 'control_request');
  const { request } = result.message;
  assert.ok(request.subtype === 'can_use_tool');
  assert.equal(JSON.stringify(request.input), input);
  assert.equal(Object.getPrototypeOf(request.input), Object.prototype);
});

test('Suggestions that are known are kept as they are, others are left out', () => {
  const known = [
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    { type: 'addDirectories', directories: ['/x'], destination: 'session' },
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'touch x' }, { toolName: 'Read' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ];
  const message = parsed({
    type: 'control_request',
    request_id: 'r',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: {},
      permission_suggestions: [...known, { type: 'zz' }, null],
    },
  });
  assert.ok(message.type === 'control_request' && message.request.subtype === 'can_use_tool');
  assert.deepEqual(message.request.permission_suggestions, known);
});

test('Any line gives an answer and never throws', () => {
  const kinds = [
    'assistant',
    'user',
    'result',
    'system',
    'stream_event',
    'control_request',
    'control_response',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.object({ maxDepth: 3 }), (type, rest) => {
      const result = parseMessage(JSON.stringify({ ...rest, type }));
      assert.equal(typeof result.ok, 'boolean');
    }),
    { numRuns: 500 },
  );
});

test('The hand-written guard of the streamed delta and its schema agree on everything', () => {
  const leaf = fc.oneof(
    fc.constantFrom('x', '', null, undefined, 0, -1, 1.5, NaN, Infinity, true),
    fc.constant({}),
    fc.constant([]),
  );
  const delta = fc.record(
    {
      type: fc.constantFrom(
        'text_delta',
        'thinking_delta',
        'signature_delta',
        'input_json_delta',
        'zz',
        'constructor',
        5,
      ),
      text: leaf,
      thinking: leaf,
      signature: leaf,
      partial_json: leaf,
      extra: leaf,
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      type: fc.constantFrom('content_block_delta', 'content_block_start', undefined),
      index: leaf,
      delta: fc.oneof({ weight: 5, arbitrary: delta }, leaf),
    },
    { requiredKeys: ['type'] },
  );
  const message = fc.record(
    {
      type: fc.constantFrom('stream_event', 'assistant'),
      event: fc.oneof({ weight: 9, arbitrary: event }, leaf),
      api_message_id: leaf,
      parent_tool_use_id: leaf,
      uuid: leaf,
      session_id: leaf,
      user_message_uuid: leaf,
    },
    { requiredKeys: ['type', 'event'] },
  );
  // Chance alone makes a fitting message too rarely.
  const good = fc.string().map((text) => deltaLine({ type: 'text_delta', text }));
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: message }, good, leaf), (value) => {
      const verdict = fit(knownDeltaMessageSchema(), value).ok;
      if (verdict) accepted += 1;
      assert.equal(isKnownDeltaMessage(value), verdict);
    }),
    { numRuns: 5000 },
  );
  assert.ok(accepted > 0, 'the property must meet both verdicts');
});

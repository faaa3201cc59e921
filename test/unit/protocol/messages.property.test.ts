import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_BLOCKS } from '../../../src/protocol/contentBlocks';
import { createMessageReader } from '../../../src/protocol/messageReader';
import { fit } from '../../../src/protocol/lazySchema';
import { parseMessage, type ParsedLine } from '../../../src/protocol/messages';
import {
  DELTA_FIELDS,
  isKnownDeltaMessage,
  knownDeltaMessageSchema,
} from '../../../src/protocol/streamEvents';
import { deepText, hostileValue, lineOf, spoiltMessage } from './hostileJson';

const many = (text: string, count: number): string =>
  Array.from({ length: count }, () => text).join(',');
const user = (content: string): string => `{"type":"user","message":{"content":${content}}}`;
const asking = (fields: string): string =>
  `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"x","input":{}${fields}}}`;

function placeOf(result: ParsedLine): string {
  assert.ok(!result.ok && result.kind === 'corrupt', JSON.stringify(result).slice(0, 200));
  return result.place;
}

test('A message that the CLI sent, spoilt anywhere, is parsed, kept or named, and nothing throws', () => {
  let corrupt = 0;
  fc.assert(
    fc.property(spoiltMessage, (message) => {
      const line = lineOf(message);
      const result = parseMessage(line);
      if (!result.ok && result.kind === 'corrupt') corrupt += 1;
      const { type, request_id: id, response } = JSON.parse(line) as Record<string, unknown>;
      // Whoever waits at the other end for one of these gets an answer.
      if (type === 'control_request' && typeof id === 'string') assert.ok(result.ok, line);
      const answered = (response as { request_id?: unknown } | null | undefined)?.request_id;
      if (type === 'control_response' && typeof answered === 'string') assert.ok(result.ok, line);
    }),
    { numRuns: 1000 },
  );
  assert.ok(corrupt > 0, 'the property must meet both verdicts');
});

test('The guard of the streamed delta and its schema agree on real events that are spoilt', () => {
  let accepted = 0;
  const event = spoiltMessage.filter(({ type }) => type === 'stream_event');
  fc.assert(
    fc.property(fc.oneof(event, hostileValue), (message) => {
      const value: unknown = JSON.parse(lineOf(message));
      const verdict = fit(knownDeltaMessageSchema(), value);
      assert.equal(isKnownDeltaMessage(value), verdict.ok);
      if (!verdict.ok || !isKnownDeltaMessage(value)) return;
      accepted += 1;
      assert.equal(value.event.index, verdict.value.event.index);
      assert.deepEqual({ ...value.event.delta, ...verdict.value.event.delta }, value.event.delta);
    }),
    { numRuns: 600 },
  );
  assert.ok(accepted > 0, 'the property must meet both verdicts');
});

/** What is read of a delta; the fields that nothing uses may be left out where a line is not parsed. */
function deltaOf(parsed: ParsedLine): unknown {
  if (!parsed.ok) return parsed;
  const kind = parsed.message.type;
  if (kind !== 'stream_event') return kind;
  const { event, uuid, api_message_id, session_id, parent_tool_use_id } = parsed.message;
  if (event.type !== 'content_block_delta' || event.delta.type === 'unknown') return kind;
  const { type, index, delta } = event;
  const text = Object.values(DELTA_FIELDS).map((field) => Reflect.get(delta, field) as unknown);
  const ids = [uuid, api_message_id, session_id, parent_tool_use_id];
  return [type, index, delta.type, text.find((value) => value !== undefined), ids];
}

test('A reader that has seen real events reads each spoilt one as parsing it alone does', () => {
  const event = spoiltMessage.filter(({ type }) => type === 'stream_event').map(lineOf);
  // Twins of a line, so that the second is read by what was learnt from the first.
  const twins = fc
    .tuple(event, fc.constantFrom('w1', '\\u0041', '\\"', 'é'))
    .map(([line, word]) => [line, line.replace(/"text":"[^"\\]*"/, () => `"text":"${word}"`)]);
  fc.assert(
    fc.property(fc.array(twins, { maxLength: 12 }), (lines) => {
      const reader = createMessageReader();
      for (const line of lines.flat()) {
        assert.deepEqual(deltaOf(reader.read(line)), deltaOf(parseMessage(line)));
      }
    }),
    { numRuns: 200 },
  );
});

test('Lines that are like no other cost a reader a small multiple of parsing them', () => {
  const lines = Array.from({ length: 5000 }, (_, at) =>
    JSON.stringify({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: at, delta: { type: 'text_delta', text: 'x' } },
      session_id: `"${at}"`,
    }),
  );
  const cost = (read: (line: string) => unknown): number => {
    const start = process.cpuUsage();
    for (const line of lines) read(line);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const readCost = (): number => {
    const reader = createMessageReader();
    return cost((line) => reader.read(line));
  };
  cost(parseMessage);
  const alone = Math.min(cost(parseMessage), cost(parseMessage));
  const read = Math.min(readCost(), readCost(), readCost());
  assert.ok(read < 25 * Math.max(alone, 5000), `${read} µs against ${alone} µs`);
});

test('A hundred thousand brackets anywhere are no burden', () => {
  const deep = deepText(100_000);
  assert.equal(parseMessage(deep).ok, false);
  assert.equal(parseMessage('{"type":'.repeat(100_000)).ok, false);
  const nested = '[{"type":"tool_result","tool_use_id":"a","content":'.repeat(20_000);
  for (const line of [
    user(deep),
    user(`${nested}[]${'}]'.repeat(20_000)}`),
    `{"type":"zz","deep":${deep}}`,
    `{"type":"system","subtype":"init","tools":${deep},"model":"m"}`,
    `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"n","input":${deep}}]}}`,
    asking(`,"permission_suggestions":${deep},"title":${deep}`),
  ]) {
    assert.ok(parseMessage(line).ok, line.slice(0, 80));
  }
});

test('A result stands in no result: what is nested is kept and not followed', () => {
  const inner = { type: 'tool_result', tool_use_id: 'b', content: 'x' };
  const outer = { type: 'tool_result', tool_use_id: 'a', content: [inner] };
  const result = parseMessage(user(JSON.stringify([outer])));
  assert.ok(result.ok && result.message.type === 'user');
  assert.deepEqual(result.message.message.content, [
    { ...outer, content: [{ type: 'unknown', raw: inner }] },
  ]);
});

test('A list with a million faults is refused at its first, quickly and without an error of its own', () => {
  const start = process.cpuUsage();
  const wrong = many('0', 1_000_000);
  const system = (rest: string): string => `{"type":"system","subtype":${rest}}`;
  const tasks = system(`"background_tasks_changed","tasks":[${wrong}]`);
  assert.match(placeOf(parseMessage(tasks)), /^tasks\.0:/);
  const late = system(`"background_tasks_changed","tasks":[${many('{"task_id":"a"}', 500)},0]`);
  assert.match(placeOf(parseMessage(late)), /far inside/);
  const commands = system(`"commands_changed","commands":[${many('{}', 300_000)}]`);
  assert.match(placeOf(parseMessage(commands)), /^commands\.0\.name:/);
  // What may be left out is, and the request is still asked.
  const rules = `{"type":"addRules","behavior":"allow","destination":"session","rules":[${wrong}]}`;
  for (const suggestions of [wrong, rules]) {
    const result = parseMessage(asking(`,"permission_suggestions":[${suggestions}]`));
    assert.ok(result.ok && result.message.type === 'control_request');
    const { request } = result.message;
    assert.ok(request.subtype === 'can_use_tool');
    assert.deepEqual(request.permission_suggestions, []);
  }
  const { user: spent } = process.cpuUsage(start);
  assert.ok(spent < 20_000_000, `${spent} µs`);
});

test('More blocks than any message has are kept as one, so that they do not grow many times over', () => {
  for (const [count, kinds] of [
    [MAX_BLOCKS, MAX_BLOCKS],
    [MAX_BLOCKS + 1, 1],
  ] as const) {
    const result = parseMessage(user(`[${many('{"type":"text","text":"x"}', count)}]`));
    assert.ok(result.ok && result.message.type === 'user');
    assert.equal(result.message.message.content.length, kinds);
  }
});

test('A request with an odd id is answered by that id, or said to have none', () => {
  const ask = (id: string) =>
    parseMessage(`{"type":"control_request","request_id":${id},"request":{"subtype":"zz"}}`);
  for (const id of ['""', '"__proto__"', '"\\ud800"', '"\\u0000"', `"${'x'.repeat(100_000)}"`]) {
    const result = ask(id);
    assert.ok(result.ok && result.message.type === 'control_request');
    assert.equal(result.message.request_id, JSON.parse(id));
    assert.equal(result.message.request.subtype, 'unknown');
  }
  for (const id of ['0', '-1', '1.5', '9007199254740993']) {
    const result = ask(id);
    assert.ok(result.ok && result.message.type === 'control_request');
    assert.equal(result.message.request_id, JSON.parse(id));
    assert.ok(result.message.request.subtype === 'malformed');
    assert.match(result.message.request.place, /request_id/);
  }
  for (const id of ['null', 'true', '[]', '{}', '["a"]']) {
    assert.match(placeOf(ask(id)), /^request_id:/, id);
  }
});

test('An answer of ours that cannot be read is still told to whoever waits for it', () => {
  for (const response of [
    '{"subtype":"zz","request_id":"host-1"}',
    '{"request_id":"host-1"}',
    '{"subtype":["success"],"request_id":"host-1","response":{}}',
  ]) {
    const result = parseMessage(`{"type":"control_response","response":${response}}`);
    assert.ok(result.ok && result.message.type === 'control_response', response);
    assert.deepEqual(
      [result.message.response.subtype, result.message.response.request_id],
      ['malformed', 'host-1'],
    );
  }
  const beside = parseMessage('{"type":"control_response","request_id":"host-2","response":7}');
  assert.ok(beside.ok && beside.message.type === 'control_response');
  assert.equal(beside.message.response.request_id, 'host-2');
  assert.match(placeOf(parseMessage('{"type":"control_response","response":{}}')), /^response\./);
});

test('Keys that stand twice count as JSON counts them, keys of every object are plain keys', () => {
  const twice = parseMessage('{"type":"result","subtype":"a","type":"assistant","type":"zz"}');
  assert.ok(twice.ok && twice.message.type === 'unknown');
  const inherited = [
    '{"__proto__":{"type":"keep_alive"}}',
    '{"type":"stream_event","event":{"__proto__":{"type":"message_stop"}}}',
    '{"type":"system","__proto__":{"subtype":"session_title_changed","title":"x"}}',
  ].map((line) => parseMessage(line));
  assert.deepEqual(
    inherited.map((result) => (result.ok ? result.message.type : result.kind)),
    ['noise', 'stream_event', 'system'],
  );
  const [, event, system] = inherited;
  assert.ok(event?.ok && event.message.type === 'stream_event');
  assert.equal(event.message.event.type, 'unknown');
  assert.ok(system?.ok && system.message.type === 'system');
  assert.equal(system.message.subtype, 'unknown');
  assert.equal(({} as { type?: unknown }).type, undefined);
});

test('Numbers that JSON reads as infinite are no numbers', () => {
  const delta = (index: string) =>
    parseMessage(
      `{"type":"stream_event","event":{"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":"x"}}}`,
    );
  for (const index of ['1e999', '-1e999', '"1"', 'null']) {
    assert.match(placeOf(delta(index)), /^event\.index:/, index);
  }
  const result = parseMessage(
    '{"type":"result","subtype":"a","total_cost_usd":1e999,"num_turns":-0}',
  );
  assert.ok(result.ok && result.message.type === 'result');
  assert.equal(result.message.total_cost_usd, undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMessageReader } from '../../../src/protocol/messageReader';
import { parseMessage, type ParsedLine } from '../../../src/protocol/messages';

const FIELDS = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const;

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('msg_1', 'a-b', '', 'quote"', 'é', 'back\\slash') },
  fc.constantFrom(null, undefined, 7),
);

/** A delta's line as the CLI may write it: with keys in any order, some left out, some unknown. */
const deltaLine = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(FIELDS) as (keyof typeof FIELDS)[])),
    index: fc.integer({ min: 0, max: 2 }),
    text: fc.oneof(anyText, fc.constantFrom('a', '"},"uuid":"x', '\\"')),
    uuid: id,
    api: id,
    parent: fc.constantFrom(null, 'toolu_1'),
    order: fc.constantFrom('text first', 'ids first', 'swapped'),
    note: fc.constantFrom(undefined, { text: 'n', uuid: 'msg_1', partial_json: 'n' }),
    end: fc.constantFrom('}', ',"later":1}', ',"uuid":"twice"}', ',"event":null}'),
  })
  .map(({ kind, index, text, uuid, api, parent, order, note, end }) => {
    const event = {
      type: 'content_block_delta',
      index,
      delta: { type: kind, [FIELDS[kind]]: text },
    };
    const around = { session_id: 's', parent_tool_use_id: parent };
    const ids = order === 'swapped' ? { api_message_id: api, uuid } : { uuid, api_message_id: api };
    const body =
      order === 'ids first'
        ? { later: note, ...ids, event }
        : { event, later: note, ...around, ...ids };
    const first = order === 'swapped' ? { later: note } : {};
    return JSON.stringify({ type: 'stream_event', ...first, ...body }).slice(0, -1) + end;
  });

/** A line with one character taken out, doubled or replaced. */
const tornLine = fc
  .tuple(deltaLine, fc.nat(), fc.constantFrom('', '"', '\\', '\n', ',', '}', '\u0000'))
  .map(([line, at, put]) => {
    const place = at % line.length;
    return line.slice(0, place) + put + line.slice(place + 1);
  });

/** A line that was not parsed brings no field that is unknown, and none that is undefined. */
function comparable(parsed: ParsedLine, unknown = 'later'): unknown {
  return JSON.parse(
    JSON.stringify(parsed, (key, value: unknown) => (key === unknown ? undefined : value)),
  );
}

test('A reader of many lines says of each what parsing it alone says', () => {
  const line = fc.oneof({ weight: 4, arbitrary: deltaLine }, { weight: 1, arbitrary: tornLine });
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 30 }), (lines) => {
      const reader = createMessageReader();
      for (const one of lines) {
        assert.deepEqual(comparable(reader.read(one)), comparable(parseMessage(one)));
      }
    }),
    { numRuns: 400 },
  );
});

test('Lines that are like one before are read without being parsed', () => {
  const reader = createMessageReader();
  const line = (text: string, uuid: string): string =>
    JSON.stringify({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      later: 1,
      uuid,
    });
  const hasLater = (read: ParsedLine): boolean => JSON.stringify(read).includes('later');
  assert.ok(hasLater(reader.read(line('a', 'u1'))));
  assert.ok(!hasLater(reader.read(line('b', 'u2'))));
});

test('The text of a streamed piece is right to the character, however it is escaped', () => {
  const reader = createMessageReader();
  const line = (json: string): string =>
    `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":` +
    `{"type":"text_delta","text":${json}}},"session_id":"s","parent_tool_use_id":null,` +
    `"uuid":"u","api_message_id":"m"}`;
  const textOf = (json: string): unknown => {
    const parsed = reader.read(line(json));
    if (!parsed.ok) return parsed.kind;
    const { message } = parsed;
    return message.type === 'stream_event' && message.event.type === 'content_block_delta'
      ? message.event.delta
      : undefined;
  };
  for (const text of [
    'first',
    '',
    '"',
    '\\',
    '\\"',
    'a\\',
    '\n\t',
    'é🧭',
    '\u2028',
    '{"text":"x"}',
  ]) {
    assert.deepEqual(textOf(JSON.stringify(text)), { type: 'text_delta', text });
  }
  assert.deepEqual(textOf('"\\u0041\\ud83e\\udded"'), { type: 'text_delta', text: 'A🧭' });
  assert.equal(textOf('"raw\ttab"'), 'noise');
  assert.equal(textOf('"\\x"'), 'noise');
  assert.deepEqual(textOf('"after"'), { type: 'text_delta', text: 'after' });
});

test('A text or an id of the same name elsewhere in the line is not taken for it', () => {
  const line = (before: string, delta: string, after: string): string =>
    `{"type":"stream_event",${before}"event":{"type":"content_block_delta","index":0,` +
    `"delta":{"type":"text_delta",${delta}}},${after}}`;
  const pairs = [
    [line('"note":{"text":"a"},', '"text":"a"', '"uuid":"u"'), '"text":"a"}', '"text":"b"}'],
    [line('', '"text":"a","text":"c"', '"uuid":"u"'), '"text":"a"', '"text":"b"'],
    [line('', '"text":"c"', '"note":{"uuid":"u"},"uuid":"u"'), '"uuid":"u"', '"uuid":"v"'],
    [line('', '"text":"c"', '"uuid":"u","uuid":"u"'), '"uuid":"u"', '"uuid":"v"'],
  ] as const;
  for (const [first, from, to] of pairs) {
    const reader = createMessageReader();
    reader.read(first);
    const second = first.replace(from, to);
    assert.notEqual(second, first);
    assert.deepEqual(
      comparable(reader.read(second), 'note'),
      comparable(parseMessage(second), 'note'),
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseWireFile, WireFileError } from '../../../../src/conversation/wire/parseWireFile';
import type { RedactOptions } from '../../../../src/conversation/wire/redactFrame';
import type { WireLog } from '../../../../src/conversation/wire/wireLog';
import { writeWireFile } from '../../../../src/conversation/wire/writeWireFile';
import { add, createLog } from './frames';

const ALL: RedactOptions = { secrets: false, contents: false };
const facts = { cli: '2.1.9', extension: '0.1.0', savedAt: 0, dropped: 7 };

function written(log: WireLog, options = ALL): string {
  return [...writeWireFile(log.from(1), facts, options)].join('');
}

test('a saved file has a header and a line for each frame, as docs/wire.md says', () => {
  const log = createLog();
  add(log, 'in', '{"type":"keep_alive" }', 'a banner');
  add(log, 'out', { type: 'user', message: { content: 'hi' } });
  log.lost({ kind: 'lineTooLong', bytes: 9, maxBytes: 1 });
  log.ended({ code: null, signal: 'SIGTERM' });
  assert.deepEqual(written(log).split('\n'), [
    '{"patchbay":"wire","version":1,"cli":"2.1.9","extension":"0.1.0","savedAt":"1970-01-01T00:00:00.000Z","redaction":{"secrets":false,"contents":false},"dropped":7}',
    '{"t":1001,"dir":"in","frame":{"type":"keep_alive" }}',
    '{"t":1002,"dir":"in","text":"a banner"}',
    '{"t":1003,"dir":"out","frame":{"type":"user","message":{"content":"hi"}}}',
    '{"t":1004,"lost":9}',
    '{"t":1005,"ended":"The CLI ended with signal SIGTERM"}',
    '',
  ]);
});

test('what is saved comes back: every frame, line and time', () => {
  const frames = fc.array(
    fc.record({
      dir: fc.constantFrom('in' as const, 'out' as const),
      frame: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
  );
  fc.assert(
    fc.property(frames, fc.array(fc.string()), (all, noise) => {
      const log = createLog();
      for (const { dir, frame } of all) add(log, dir, frame);
      const lines = noise.map((line) => `# ${line}`.replaceAll('\n', ' '));
      add(log, 'in', ...lines);
      const { header, records } = parseWireFile(written(log));
      assert.deepEqual(header, { ...header, ...{ patchbay: 'wire', version: 1, dropped: 7 } });
      const back = records.map((record) =>
        record.what === 'frame'
          ? [record.dir, record.frame]
          : [record.what, 'text' in record ? record.text : undefined],
      );
      const expected = [
        ...all.map(({ dir, frame }): unknown[] => [dir, JSON.parse(JSON.stringify(frame))]),
        ...lines.map((line) => ['noise', line]),
      ];
      assert.deepEqual(back, expected);
      assert.deepEqual(
        records.map(({ t, line }) => [t, line]),
        log.from(1).map(({ t }, at) => [t, at + 2]),
      );
    }),
    { numRuns: 200 },
  );
});

test('a frame names the places in which something was left out', () => {
  const log = createLog();
  add(log, 'in', { type: 'x', apiKey: 'abcdefgh', text: 'hello' }, 'password=abcdefgh');
  const { records, header } = parseWireFile(written(log, { secrets: true, contents: true }));
  const [frame, noise] = records;
  assert.ok(frame?.what === 'frame' && noise?.what === 'noise');
  assert.deepEqual(frame.frame, { type: 'x', apiKey: '[secret]', text: '[hidden: 5 characters]' });
  assert.deepEqual(frame.redacted, ['apiKey', 'text']);
  assert.match(noise.text, /^\[hidden: \d+ characters\]$/);
  assert.deepEqual(header?.redaction, { secrets: true, contents: true });
});

test('a plain transcript is read too', () => {
  const { header, records } = parseWireFile(
    '{"dir":"out","m":{"type":"user"}}\n\n{"dir":"in","m":{"type":"result"}}\n',
  );
  assert.equal(header, undefined);
  assert.deepEqual(
    records.map((record) => [record.line, record.what === 'frame' && record.dir]),
    [
      [1, 'out'],
      [3, 'in'],
    ],
  );
});

const HEADER = '{"patchbay":"wire","version":1,"redaction":{"secrets":true,"contents":true}}';
const GOOD = '{"t":1,"dir":"in","frame":{}}';

const broken: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['an empty file', ' \n\n', /^The file is empty$/],
  ['no JSON', 'hello', /^line 1: not JSON; is the file cut off\?$/],
  ['a file without a header', GOOD, /^line 1: no header/],
  ['a version to come', '{"patchbay":"wire","version":2}', /^line 1: the file has version 2/],
  ['a version that is none', '{"patchbay":"wire"}', /^line 1: version: expected a number$/],
  ['a line that is cut off', `${HEADER}\n${GOOD}\n{"t":2,"dir":"in","fra`, /^line 3: not JSON/],
  ['a line that is a list', `${HEADER}\n\n[]`, /^line 3: expected a JSON object$/],
  ['a line without a time', `${HEADER}\n{"dir":"in","frame":{}}`, /^line 2: t: expected a number/],
  ['a direction of its own', `${HEADER}\n{"t":1,"dir":"up","frame":{}}`, /^line 2: dir: expected/],
  ['a frame that is none', `${HEADER}\n{"t":1,"dir":"in","frame":[]}`, /^line 2: frame: expected/],
  [
    'places that are none',
    `${HEADER}\n{"t":1,"dir":"in","frame":{},"redacted":1}`,
    /^line 2: redacted/,
  ],
  [
    'noise of two lines',
    `${HEADER}\n{"t":1,"dir":"in","text":"a\\nb"}`,
    /^line 2: text: expected one/,
  ],
  [
    'a transcript that goes on in another way',
    '{"dir":"in","m":{}}\n{"dir":"in"}',
    /^line 2: m: exp/,
  ],
];

for (const [title, text, message] of broken) {
  test(`${title} is an error that names the line`, () => {
    assert.throws(
      () => parseWireFile(text),
      (error) => error instanceof WireFileError && message.test(error.message),
    );
  });
}

test('whatever the file holds, it is read or refused with a line', () => {
  const good = `${HEADER}\n${GOOD}\n{"t":2,"dir":"out","frame":{"type":"user"}}\n`;
  fc.assert(
    fc.property(fc.nat(good.length), fc.nat(20), fc.string(), (at, length, text) => {
      const damaged = good.slice(0, at) + text + good.slice(at + length);
      try {
        parseWireFile(damaged);
      } catch (error) {
        assert.ok(error instanceof WireFileError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

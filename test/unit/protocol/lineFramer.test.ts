import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLineFramer, type FramingFault } from '../../../src/protocol/lineFramer';

function frame(chunks: readonly Uint8Array[], maxLineBytes?: number) {
  const lines: string[] = [];
  const faults: FramingFault[] = [];
  const framer = createLineFramer({
    onLine: (line) => lines.push(line),
    onFault: (fault) => faults.push(fault),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return { lines, faults };
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const cut = (all: Buffer, size: number): Buffer[] => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
  return pieces;
};

const separators = '{"text":"north\u2028south\u2029east\u0085west"}';
const letters = '{"text":"Ærø 台北 🧭 e\u0301"}';

test('U+2028, U+2029 and U+0085 are text and end no line (T01)', () => {
  assert.deepEqual(frame([bytes(`${separators}\n`)]).lines, [separators]);
});

test('Two cuts at any byte offsets give the same lines (T02)', () => {
  const all = bytes(`${letters}\r\n${separators}\n${letters}`);
  const whole = [letters, separators, letters];
  for (let at = 1; at < all.length; at += 1) {
    assert.deepEqual(frame([all.subarray(0, at), all.subarray(at)]).lines, whole, `cut at ${at}`);
  }
  assert.deepEqual(frame(cut(all, 1)).lines, whole);
});

test('A push tells whether a line has ended in it, however long the line is', () => {
  const lines: string[] = [];
  const options = { onLine: (line: string) => lines.push(line), onFault: () => undefined };
  const framer = createLineFramer({ ...options, maxLineBytes: 8 });
  const told = ['a\n', 'b', 'c', '\n', 'd\ne', '\nf\n', '', 'g'.repeat(20), 'h\ni'].map((text) =>
    framer.push(bytes(text)),
  );
  assert.deepEqual(told, [true, false, false, true, true, true, false, false, true]);
  assert.deepEqual(lines, ['a', 'bc', 'd', 'e', 'f']);
});

test('Any text in any chunking comes out as it went in', () => {
  const line = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => {
    const first = text.charCodeAt(0);
    return !/[\r\n]/.test(text) && first !== 0xfeff && bytes(text).toString() === text;
  });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 })), (lines, sizes) => {
      const all = bytes(lines.map((text) => `${text}\n`).join(''));
      const chunks: Buffer[] = [];
      for (let at = 0, i = 0; at < all.length; i += 1) {
        const size = sizes[i % Math.max(1, sizes.length)] ?? 7;
        chunks.push(all.subarray(at, at + size));
        at += size;
      }
      assert.deepEqual(frame(chunks).lines, lines);
    }),
    { numRuns: 300 },
  );
});

test('A byte-order mark, CRLF, empty lines and a half line at the end are seen through', () => {
  const { lines } = frame([bytes('\uFEFF{"a":1}\r\n\n\r\n{"b":2}\n{"c":')]);
  assert.deepEqual(lines, ['{"a":1}', '{"b":2}', '{"c":']);
});

test('A line of 65,537 bytes, of 3 MiB and of 20 MiB arrive, then a small one (T04)', () => {
  for (const [size, chunk] of [
    [65_537, 65_536],
    [3 * 1024 * 1024, 8192],
    [20 * 1024 * 1024, 65_536],
  ] as const) {
    const { lines } = frame(cut(Buffer.concat([Buffer.alloc(size, 97), bytes('\n{}\n')]), chunk));
    assert.deepEqual(
      lines.map(({ length }) => length),
      [size, 2],
    );
  }
});

test('Time grows in line with the size of one line, also in a trickle', () => {
  const timeOf = (size: number): number => {
    const chunks = cut(Buffer.alloc(size, 97), 512);
    const start = process.cpuUsage();
    frame(chunks);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  timeOf(1024 * 1024);
  const small = Math.min(...[0, 1, 2].map(() => timeOf(2 * 1024 * 1024)));
  const large = Math.min(...[0, 1, 2].map(() => timeOf(16 * 1024 * 1024)));
  // Eight times the bytes; a quadratic reader takes sixty-four times the time.
  assert.ok(large < 32 * Math.max(small, 1000), `${large} µs against ${small} µs`);
});

test('A line above the cap is a fault with its true size, and the stream stays usable', () => {
  for (const size of [1, 3, 10, 11, 64, 1000]) {
    const all = bytes(`{"a":1}\n${'x'.repeat(25)}\n{"b":2}\n${'y'.repeat(10)}\n`);
    const { lines, faults } = frame(cut(all, size), 10);
    assert.deepEqual(lines, ['{"a":1}', '{"b":2}', 'y'.repeat(10)], `chunks of ${size}`);
    assert.deepEqual(faults, [{ kind: 'lineTooLong', bytes: 25, maxBytes: 10 }]);
  }
});

test('A half line above the cap at the end is a fault too', () => {
  const { lines, faults } = frame(cut(bytes('ok\n'.concat('x'.repeat(30))), 4), 10);
  assert.deepEqual(lines, ['ok']);
  assert.equal(faults[0]?.bytes, 30);
});

test('Bytes that are no UTF-8 become replacement marks of their own line only', () => {
  const { lines } = frame([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0x63, 0xe5, 0x0a, 0x64, 0x0a])]);
  assert.deepEqual(lines, ['a\uFFFDb', 'c\uFFFD', 'd']);
});

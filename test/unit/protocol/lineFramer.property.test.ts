import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLineFramer, type LineFramerOptions } from '../../../src/protocol/lineFramer';

type Event = string | { readonly bytes: number };

type Platform = Pick<LineFramerOptions, 'decode' | 'isAscii'>;

const decode: LineFramerOptions['decode'] = ({ buffer, byteOffset, byteLength }, start, end) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8', start, end);

/** The room alone, and with what the product hands in for Node's buffers. */
const platforms: readonly Platform[] = [{}, { decode }, { decode, isAscii }];

function framed(
  chunks: readonly Uint8Array[],
  maxLineBytes?: number,
  platform: Platform = {},
): Event[] {
  const events: Event[] = [];
  const framer = createLineFramer({
    onLine: (line) => events.push(line),
    onFault: ({ bytes }) => events.push({ bytes }),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    ...platform,
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return events;
}

/** The rules without any thought for speed: one line after the other, each on its own. */
function expected(bytes: Buffer, max: number): Event[] {
  const events: Event[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let from = 0; from <= bytes.length;) {
    const at = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, at === -1 ? bytes.length : at);
    from = at === -1 ? bytes.length + 1 : at + 1;
    if (line.length > max) events.push({ bytes: line.length });
    else {
      const text = decoder
        .decode(line)
        .replace(/\r$/, '')
        .replace(/^\uFEFF/, '');
      if (text !== '') events.push(text);
    }
  }
  return events;
}

/** Line ends, byte-order marks whole and in part, halves of characters, bytes that are in none. */
const hostileByte = fc.constantFrom(
  ...[0x0a, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0x61, 0x7b, 0x00, 0xe5, 0x8f, 0xb0, 0xf0, 0x9f, 0xff],
);
const mark = [0xef, 0xbb, 0xbf];
const hostile = fc
  .array(fc.oneof(hostileByte, fc.constant(mark), fc.constant([0x0d, 0x0a])), { maxLength: 60 })
  .map((parts) => Buffer.from(parts.flat()));
/** ASCII for a while, since lines of it are read together. */
const plain = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x7b, 0x00), { maxLength: 60 })
  .map((bytes) => Buffer.from(bytes));
const mixed = fc.array(fc.oneof(plain, hostile), { maxLength: 4 }).map((all) => Buffer.concat(all));

function cutAt(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % Math.max(1, sizes.length)] ?? bytes.length;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test('Whatever bytes come, cut wherever, are the lines and faults that they are by the rules', () => {
  fc.assert(
    fc.property(
      mixed,
      fc.array(fc.integer({ min: 1, max: 70 })),
      fc.integer({ min: 1, max: 80 }),
      (bytes, sizes, max) => {
        for (const platform of platforms) {
          assert.deepEqual(framed(cutAt(bytes, sizes), max, platform), expected(bytes, max));
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test('One byte-order mark at the start of a line goes, a second one stays, wherever a chunk begins', () => {
  const bytes = Buffer.from('\uFEFF\uFEFFa\n\uFEFF\uFEFFb\n\uFEFFc\n');
  for (let size = 1; size <= bytes.length; size += 1) {
    assert.deepEqual(framed(cutAt(bytes, [size])), ['\uFEFFa', '\uFEFFb', 'c'], `size ${size}`);
  }
});

test('A line of exactly 64 MiB arrives, one of a byte more does not, and neither costs the next', () => {
  const cap = 64 * 1024 * 1024;
  const line = Buffer.alloc(cap + 2, 0x61);
  line[cap] = 0x0a;
  line[cap + 1] = 0x0a;
  const whole = framed([line.subarray(0, cap + 1), Buffer.from('{}\n')]);
  assert.deepEqual(
    whole.map((event) => (typeof event === 'string' ? event.length : event)),
    [cap, 2],
  );
  line[cap] = 0x61;
  const cut = [line.subarray(0, 100), line.subarray(100, cap), line.subarray(cap)];
  assert.deepEqual(framed([...cut, Buffer.from('{}\n')]), [{ bytes: cap + 1 }, '{}']);
});

test('Four million empty lines are none', () => {
  assert.deepEqual(framed([Buffer.alloc(4 * 1024 * 1024, 0x0a), Buffer.from('x')]), ['x']);
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { GatheredWriter } from '../../../src/cli/gatheredWriter';

function createPipe() {
  const pieces: string[] = [];
  const taken: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 16,
    write: (piece: string, _encoding, done) => {
      pieces.push(piece);
      taken.push(done);
    },
  });
  return { pieces, stream, take: () => taken.shift()?.() };
}

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('What is written in one callback goes out as one piece, in order', async () => {
  const { pieces, stream, take } = createPipe();
  const writer = new GatheredWriter(stream);
  writer.write('a\n');
  writer.write('b\n');
  assert.deepEqual(pieces, []);
  await tick();
  assert.deepEqual(pieces, ['a\nb\n']);
  take();
  const given = writer.during((line) => {
    writer.write(line);
    writer.write('d\n');
    return pieces.length;
  }, 'c\n');
  assert.equal(given, 1);
  assert.deepEqual(pieces, ['a\nb\n', 'c\nd\n']);
});

test('A body that throws still brings out what it has written', () => {
  const { pieces, stream } = createPipe();
  const writer = new GatheredWriter(stream);
  assert.throws(() =>
    writer.during((line) => {
      writer.write(line);
      throw new Error('later');
    }, 'a\n'),
  );
  assert.deepEqual(pieces, ['a\n']);
});

test('It says when more than the stream wants is waiting, and the stream then says drain', async () => {
  const { pieces, stream, take } = createPipe();
  const writer = new GatheredWriter(stream);
  assert.equal(writer.write('short\n'), true);
  assert.equal(writer.write('and much longer\n'), false);
  const drained = new Promise((resolve) => stream.once('drain', resolve));
  writer.flush();
  assert.equal(writer.write('more\n'), false);
  take();
  await drained;
  assert.deepEqual(pieces, ['short\nand much longer\n']);
  await tick();
  assert.deepEqual(pieces.slice(1), ['more\n']);
});

test('A stream that is full is full until it has said drain, however little is written', async () => {
  const { stream, take } = createPipe();
  const writer = new GatheredWriter(stream);
  writer.write('sixteen or more\n');
  writer.flush();
  assert.equal(writer.write('s\n'), false);
  await tick();
  take();
  assert.equal(writer.write('s\n'), false, 'the second piece is under way');
  await tick();
  take();
  take();
  assert.equal(writer.write('s\n'), true);
});

test('Nothing is written to a stream that has ended', async () => {
  const { pieces, stream } = createPipe();
  const writer = new GatheredWriter(stream);
  writer.write('late\n');
  stream.destroy();
  await tick();
  assert.deepEqual(pieces, []);
});

test('Any text arrives as its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
      const { writer, bytes } = createByteSink();
      for (const line of lines) {
        writer.write(line);
        writer.flush();
      }
      assert.deepEqual(bytes(), Buffer.concat(lines.map((line) => Buffer.from(line))));
    }),
  );
});

function createByteSink() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { writer: new GatheredWriter(stream), bytes: () => Buffer.concat(pieces) };
}

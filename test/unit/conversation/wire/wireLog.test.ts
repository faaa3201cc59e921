import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCliSession } from '../../../../src/cli/cliSession';
import { WireSeat } from '../../../../src/cli/wireSeat';
import { silentLogger } from '../../../../src/base/logger';
import { createMemoryTransport } from '../../cli/memoryTransport';
import { add, createLog } from './frames';

test('a wire log numbers what it is given and gives it back as it was', () => {
  const log = createLog();
  add(log, 'in', '{"type":"a" }', 'no json');
  add(log, 'out', { type: 'user' });
  log.lost({ kind: 'lineTooLong', bytes: 99, maxBytes: 10 });
  log.ended({ code: 0, signal: null });
  assert.deepEqual(
    log.from(1).map(({ n, dir, what, text }) => [n, dir, what, text]),
    [
      [1, 'in', 'line', '{"type":"a" }'],
      [2, 'in', 'line', 'no json'],
      [3, 'out', 'line', '{"type":"user"}'],
      [4, 'in', 'lost', 'A line of 99 bytes was left out (at most 10)'],
      [5, 'in', 'ended', 'The CLI ended with code 0'],
    ],
  );
  assert.equal(log.get(3)?.text, '{"type":"user"}');
});

test('the oldest frames are dropped beyond the count, and counted', () => {
  const log = createLog({ maxFrames: 100 });
  for (let n = 1; n <= 1050; n += 1) add(log, 'in', String(n));
  assert.deepEqual([log.first, log.total, log.dropped], [951, 1050, 950]);
  assert.deepEqual(
    log.from(1).map(({ text }) => Number(text)),
    Array.from({ length: 100 }, (_, at) => 951 + at),
  );
  assert.equal(log.get(950), undefined);
  assert.equal(log.get(951)?.text, '951');
  assert.equal(log.get(1051), undefined);
  assert.deepEqual(
    log.from(1049).map(({ n }) => n),
    [1049, 1050],
  );
});

test('the oldest frames are dropped beyond the size, but the newest is kept however long', () => {
  const log = createLog({ maxBytes: 1000 });
  for (let n = 0; n < 30; n += 1) add(log, 'in', 'x'.repeat(100));
  assert.equal(log.from(1).length, 10);
  add(log, 'in', 'y'.repeat(5000));
  assert.deepEqual(
    log.from(1).map(({ text }) => text.length),
    [5000],
  );
  add(log, 'in', 'z');
  assert.equal(log.from(1).length, 1);
});

test('bytes are those of UTF-8', () => {
  const log = createLog();
  add(log, 'in', '"é€😀"');
  assert.equal(log.get(1)?.bytes, 11);
});

test('a cleared log goes on counting', () => {
  const log = createLog({ maxFrames: 3 });
  add(log, 'in', 'a', 'b', 'c', 'd');
  log.clear();
  assert.deepEqual([log.first, log.total, log.dropped, log.from(1)], [5, 4, 0, []]);
  add(log, 'in', 'e');
  assert.deepEqual([log.first, log.get(5)?.text], [5, 'e']);
});

test('a message that cannot be written is written down as such', () => {
  const log = createLog();
  const ring: { self?: unknown } = {};
  ring.self = ring;
  add(log, 'out', ring);
  assert.match(log.get(1)?.text ?? '', /^\(not sent: .*circular/);
});

test('a session tells whoever sits at its wire of both ways, and nobody once they have left', async () => {
  const { transport, line, exited, faults } = createMemoryTransport();
  const wire = new WireSeat();
  const session = createCliSession({ transport, handlers: {}, log: silentLogger, wire });
  line('{"type":"keep_alive"}');
  const log = createLog();
  const listening = wire.listen(log);
  line('{"type":"control_request","request_id":"r","request":{"subtype":"nobody"}}');
  line('a banner');
  await session.sendPrompt({ uuid: 'u', content: 'hello' });
  faults.fire({ kind: 'lineTooLong', bytes: 70, maxBytes: 64 });
  exited.resolve({ kind: 'ended', code: 0, signal: null, stderrTail: '' });
  await session.exited;
  listening.dispose();
  line('{"type":"keep_alive"}');
  assert.equal(wire.tap, undefined);
  assert.deepEqual(
    log.from(1).map(({ dir, what, text }) => `${dir} ${what} ${text.slice(0, 24)}`),
    [
      'in line {"type":"control_request',
      'out line {"type":"control_respons',
      'in line a banner',
      'out line {"type":"user","message"',
      'in lost A line of 70 bytes was l',
      'in ended The CLI ended with code ',
    ],
  );
});

test('who sits down at a wire takes the place of who sat there, and leaves the next one alone', () => {
  const wire = new WireSeat();
  const first = createLog();
  const second = createLog();
  const leaving = wire.listen(first);
  wire.listen(second);
  leaving.dispose();
  wire.tap?.received('x');
  assert.deepEqual([first.total, second.total], [0, 1]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import {
  ConversationTelemetry,
  type TelemetryEvent,
} from '../../../src/conversation/conversationTelemetry';

const request = {
  work: 'call',
  server: 'x',
  method: 'tools/call',
  tool: 'echo',
  conversationId: 'c1',
  requestId: 'r1',
} as const;
const end = { durationMs: 1, bytesIn: 10, bytesOut: 20, files: [] };

function bench(isWanted: () => boolean = () => true, isTracing = false) {
  const told: TelemetryEvent[] = [];
  const lines: string[] = [];
  let time = 0;
  const telemetry = new ConversationTelemetry('c1', {
    now: () => (time += 5),
    log: { ...silentLogger, trace: (line) => lines.push(line), isTracing: () => isTracing },
    telemetry: { isWanted, tell: (event) => told.push(event) },
  });
  return { telemetry, observer: telemetry.observer, told, lines };
}

test('A conversation begins with its first prompt and ends once, with the sizes of all its requests', () => {
  const { telemetry, observer, told } = bench();
  telemetry.end(false);
  telemetry.begin();
  telemetry.begin();
  for (const requestId of ['r1', 'r2']) {
    observer.onEvent({ ...request, requestId, phase: 'start' });
    observer.onEvent({ ...request, requestId, ...end, phase: 'stop', outcome: 'success' });
  }
  telemetry.end(false);
  telemetry.end(true);
  assert.deepEqual(
    told.map(({ work, phase }) => `${work} ${phase}`),
    [
      'conversation start',
      'call start',
      'call stop',
      'call start',
      'call stop',
      'conversation stop',
    ],
  );
  assert.deepEqual(told.at(-1), {
    work: 'conversation',
    conversationId: 'c1',
    phase: 'stop',
    outcome: 'success',
    durationMs: 5,
    bytesIn: 20,
    bytesOut: 40,
    files: [],
  });
});

test('A conversation whose agent has failed ends by an exception', () => {
  const { telemetry, told } = bench();
  telemetry.begin();
  telemetry.end(true);
  assert.deepEqual([told.at(-1)?.work, told.at(-1)?.phase], ['conversation', 'exception']);
});

test('The files of a request are those told while it ran, each once with all its bytes', () => {
  const { telemetry, observer } = bench();
  telemetry.tellFile('r1', { path: 'before.ts', bytes: 1 });
  observer.onEvent({ ...request, phase: 'start' });
  for (const [path, bytes] of [
    ['a.ts', 0],
    ['a.ts', 5],
    ['b.ts', 0],
    ['a.ts', 2],
  ] as const) {
    telemetry.tellFile('r1', { path, bytes });
  }
  assert.deepEqual(observer.takeFiles('r1'), [
    { path: 'a.ts', bytes: 7 },
    { path: 'b.ts', bytes: 0 },
  ]);
  telemetry.tellFile('r1', { path: 'after.ts', bytes: 1 });
  assert.deepEqual(observer.takeFiles('r1'), []);
});

test('A log at trace gets a line for each end, without anybody who listens', () => {
  const { telemetry, observer, told, lines } = bench(() => false, true);
  assert.equal(observer.isActive(), true);
  telemetry.begin();
  observer.onEvent({ ...request, phase: 'start' });
  observer.onEvent({ ...request, ...end, phase: 'exception', code: -32601 });
  telemetry.end(false);
  assert.deepEqual(told, []);
  assert.deepEqual(lines, [
    'span mcp.call x/echo c1 r1 1 ms, in 10, out 20: exception -32601',
    'span conversation c1 5 ms, in 10, out 20: success',
  ]);
});

test('Where nobody listens nothing is told, and a listener that throws harms nothing', () => {
  const quiet = bench(() => false);
  quiet.telemetry.begin();
  assert.deepEqual([quiet.observer.isActive(), quiet.told, quiet.lines], [false, [], []]);
  const failed: string[] = [];
  const loud = new ConversationTelemetry('c1', {
    now: Date.now,
    log: { ...silentLogger, error: (text) => failed.push(text) },
    telemetry: {
      isWanted: () => true,
      tell: () => {
        throw new Error('listener');
      },
    },
  });
  loud.begin();
  loud.end(false);
  assert.equal(failed.length, 2);
});

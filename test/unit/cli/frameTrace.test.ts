import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicLogger } from '../../../src/base/logger';
import { describeFrame, traceFrame } from '../../../src/cli/frameTrace';
import { listLogger } from '../../harness/fakeCli/cliHarness';

test('A frame is told by type, subtype and bytes, without anything of what is in it', () => {
  const lines: string[] = [];
  const log = topicLogger({ ...listLogger(lines), isTracing: () => true }, 'cli');
  const frame = { type: 'assistant', message: { content: 'secret ü' } };
  traceFrame(log, 'in', frame, JSON.stringify(frame));
  traceFrame(log, 'out', { type: 'control_request', request: { subtype: 'interrupt', of: 'ü' } });
  traceFrame(log, 'in', undefined, 'noise with a secret');
  assert.deepEqual(lines, [
    'trace: [cli] frame in {"type":"assistant","bytes":54}',
    'trace: [cli] frame out {"type":"control_request","subtype":"interrupt","bytes":70}',
    'trace: [cli] frame in {"type":"noise","bytes":19}',
  ]);
});

test('Control answers, stream events and unknown kinds have their subtype; long names are cut', () => {
  assert.deepEqual(describeFrame({ type: 'control_response', response: { subtype: 'success' } }), {
    type: 'control_response',
    subtype: 'success',
  });
  assert.deepEqual(describeFrame({ type: 'stream_event', event: { type: 'message_stop' } }), {
    type: 'stream_event',
    subtype: 'message_stop',
  });
  const unknown = { type: 'unknown', raw: { type: 'new_kind', subtype: 'x'.repeat(500) } };
  assert.deepEqual(describeFrame(unknown), { type: 'new_kind', subtype: 'x'.repeat(64) });
});

test('Without trace nothing is made for it: not even the text of the frame', () => {
  let made = 0;
  const frame = {
    toJSON: () => {
      made += 1;
    },
  };
  const lines: string[] = [];
  traceFrame(listLogger(lines), 'out', frame);
  traceFrame({ ...listLogger(lines), isTracing: () => false }, 'out', frame);
  assert.deepEqual([made, lines], [0, []]);
});

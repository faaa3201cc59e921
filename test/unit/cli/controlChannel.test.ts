import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred, type Deferred } from '../../../src/base/deferred';
import { silentLogger } from '../../../src/base/logger';
import {
  createControlChannel,
  type ControlContext,
  type ControlHandlers,
} from '../../../src/cli/controlChannel';
import { TransportClosedError } from '../../../src/cli/lineTransport';
import { ControlRequestError } from '../../../src/cli/outboundCalls';
import { parseMessage } from '../../../src/protocol/messages';
import type { OutboundMessage } from '../../../src/protocol/outboundRequests';

function createChannel(handlers: ControlHandlers = {}) {
  const sent: OutboundMessage[] = [];
  const channel = createControlChannel({
    send: (message) => {
      sent.push(message);
      return Promise.resolve();
    },
    handlers,
    log: silentLogger,
  });
  const answers = () => sent.flatMap((m) => (m.type === 'control_response' ? [m.response] : []));
  const ask = (id: string, message: unknown = {}) =>
    channel.receive({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'mcp_message', server_name: 's', message },
    });
  return { channel, sent, answers, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('Answers go out in the order the handlers finish, each with its own id', async () => {
  const slow = createDeferred<Record<string, unknown>>();
  const { ask, answers } = createChannel({
    mcp_message: ({ message }) => (message === 'slow' ? slow.promise : { quick: true }),
  });
  ask('a', 'slow');
  ask('b', 'quick');
  slow.resolve({ slow: true });
  await settle();
  assert.deepEqual(answers(), [
    { subtype: 'success', request_id: 'b', response: { quick: true } },
    { subtype: 'success', request_id: 'a', response: { slow: true } },
  ]);
});

test('A handler that throws or rejects is an error answer, and a missing one too', async () => {
  const { ask, answers } = createChannel({
    mcp_message: ({ message }) => {
      if (message === 'throw') throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    },
  });
  ask('a', 'throw');
  ask('b', 'reject');
  await settle();
  assert.deepEqual(answers(), [
    { subtype: 'error', request_id: 'a', error: 'thrown' },
    { subtype: 'error', request_id: 'b', error: 'rejected' },
  ]);
  const none = createChannel();
  none.ask('c');
  assert.deepEqual(none.answers(), [
    {
      subtype: 'error',
      request_id: 'c',
      error: 'Unsupported control request subtype: mcp_message',
    },
  ]);
});

test('An id that is open already is not run a second time; a settled one can come again', async () => {
  let runs = 0;
  const { ask, answers } = createChannel({
    mcp_message: async () => {
      runs += 1;
      await Promise.resolve();
      return {};
    },
  });
  ask('a');
  ask('a');
  await settle();
  assert.deepEqual([runs, answers().length], [1, 1]);
  ask('a');
  await settle();
  assert.deepEqual([runs, answers().length], [2, 2]);
});

test('A signal that is looked at after the cancel is aborted already, and the answer is dropped', async () => {
  const go = createDeferred<undefined>();
  let aborted: boolean | undefined;
  const { channel, ask, answers } = createChannel({
    mcp_message: async (_request, context) => {
      await go.promise;
      aborted = context.signal.aborted;
      return {};
    },
  });
  ask('a');
  channel.receive({ type: 'control_cancel_request', request_id: 'a' });
  channel.receive({ type: 'control_cancel_request', request_id: 'a' });
  go.resolve(undefined);
  await settle();
  assert.equal(aborted, true);
  assert.deepEqual(answers(), []);
});

test('Closing fails all that waits and all that comes, aborts what runs, and answers nothing more', async () => {
  const { channel, ask, answers } = createChannel({
    mcp_message: (_request, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
  });
  ask('a');
  const waiting = channel.request('mcp_status', {});
  channel.close('gone');
  channel.close('again');
  const isClosed = (error: unknown) =>
    error instanceof ControlRequestError && error.kind === 'closed' && error.message === 'gone';
  await assert.rejects(waiting, isClosed);
  await assert.rejects(channel.request('mcp_status', {}), isClosed);
  ask('b');
  await settle();
  assert.deepEqual(answers(), []);
});

test('An outbound request is settled once: a late answer, a second one and a strange one are ignored', async () => {
  const { channel, sent } = createChannel();
  const first = channel.request('set_model', { model: null });
  const second = channel.request('mcp_status', {}, { timeoutMs: 5 });
  const [a, b] = sent;
  assert.ok(a?.type === 'control_request' && b?.type === 'control_request');
  assert.notEqual(a.request_id, b.request_id);
  const answer = (id: string) =>
    channel.receive({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response: { id } },
    });
  await assert.rejects(second, (error) => (error as ControlRequestError).kind === 'timedOut');
  answer(b.request_id);
  answer('never asked');
  answer(a.request_id);
  answer(a.request_id);
  assert.deepEqual((await first).response, { id: a.request_id });
  assert.deepEqual(sent.slice(2), [{ type: 'control_cancel_request', request_id: b.request_id }]);
});

test('A request that cannot be written fails, and one with an aborted signal is not sent', async () => {
  const channel = createControlChannel({
    send: () => Promise.reject(new Error('EPIPE')),
    handlers: {},
    log: silentLogger,
  });
  await assert.rejects(channel.request('interrupt', {}), /interrupt could not be sent/);
  const { channel: other, sent } = createChannel();
  await assert.rejects(other.request('interrupt', {}, { signal: AbortSignal.abort() }));
  assert.deepEqual(sent, []);
});

test('Answers that wait for one full pipe are told once what became of it, and no rejection is left', async (t) => {
  const said: string[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): unknown => unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  t.after(() => process.off('unhandledRejection', onUnhandled));
  const first = createDeferred<undefined>();
  const second = createDeferred<undefined>();
  let sent = 0;
  const channel = createControlChannel({
    send: () => (sent++ < 50 ? first : second).promise,
    handlers: { mcp_message: () => ({ mcp_response: {} }) },
    log: { ...silentLogger, debug: (line) => said.push(line) },
  });
  for (let at = 0; at < 100; at += 1) {
    channel.receive({
      type: 'control_request',
      request_id: `a-${at}`,
      request: { subtype: 'mcp_message', server_name: 's', message: {} },
    });
  }
  for (const pipe of [first, second])
    pipe.reject(new TransportClosedError('Writing to the CLI failed'));
  await settle();
  await settle();
  assert.equal(sent, 100);
  assert.deepEqual(
    said.filter((line) => line.includes('was not sent')),
    ['a-0', 'a-50'].map((id) => `Answer ${id} was not sent: Writing to the CLI failed`),
  );
  assert.deepEqual(unhandled, []);
});

test('A request whose id is a number is refused by that number, and one that is not cancelled by it', async () => {
  const { channel, answers } = createChannel({ mcp_message: () => ({}) });
  const line = '{"type":"control_request","request_id":7,"request":{"subtype":"mcp_message"}}';
  const parsed = parseMessage(line);
  assert.ok(parsed.ok && parsed.message.type === 'control_request');
  channel.receive({ type: 'control_cancel_request', request_id: 7 });
  channel.receive(parsed.message);
  await settle();
  const [answer] = answers();
  assert.ok(answer?.subtype === 'error' && answers().length === 1);
  assert.equal(answer.request_id, 7);
  assert.match(answer.error, /request_id: expected string/);
});

test('An answer that cannot be read fails its request at once', async () => {
  const { channel, sent } = createChannel();
  const waiting = channel.request('mcp_status', {});
  const [request] = sent;
  assert.ok(request?.type === 'control_request');
  const parsed = parseMessage(
    JSON.stringify({
      type: 'control_response',
      response: { subtype: 'zz', request_id: request.request_id },
    }),
  );
  assert.ok(parsed.ok && parsed.message.type === 'control_response');
  channel.receive(parsed.message);
  await assert.rejects(waiting, (error) => {
    assert.ok(error instanceof ControlRequestError && error.kind === 'unreadable');
    assert.match(error.message, /mcp_status.*response\.subtype/);
    return true;
  });
});

test('No clock of ours ends what takes long: a card, a call, and many of them in a row', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const waiting: Deferred<Record<string, unknown>>[] = [];
  const aborted: string[] = [];
  const later = (_request: unknown, { requestId, signal }: ControlContext) => {
    signal.addEventListener('abort', () => aborted.push(requestId));
    const answer = createDeferred<Record<string, unknown>>();
    waiting.push(answer);
    return answer.promise;
  };
  const { channel, ask, answers } = createChannel({ mcp_message: later, can_use_tool: later });
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } as const;
  channel.receive({
    type: 'control_request',
    request_id: 'card',
    request: { ...request, permission_suggestions: undefined },
  });
  const minutes = (count: number) => t.mock.timers.tick(count * 60_000);
  for (let i = 0; i < 10; i += 1) {
    ask(`call-${i}`);
    minutes(2);
    waiting.at(-1)?.resolve({ i });
    await settle();
  }
  minutes(24 * 60);
  waiting[0]?.resolve({ behavior: 'allow' });
  await settle();
  assert.equal(answers().length, 11);
  assert.ok(answers().every(({ subtype }) => subtype === 'success'));
  assert.equal(answers().at(-1)?.request_id, 'card');
  assert.deepEqual(aborted, []);
});

test('A handler that closes the channel is answered by nobody, whether it throws, returns or waits', async () => {
  for (const how of ['throw', 'return', 'wait']) {
    let signal: AbortSignal | undefined;
    const { channel, ask, answers } = createChannel({
      mcp_message: (_request, context) => {
        ({ signal } = context);
        channel.close('It has ended');
        if (how === 'throw') throw new Error('thrown');
        return how === 'wait' ? Promise.resolve({}) : {};
      },
    });
    ask('a');
    await settle();
    assert.deepEqual(answers(), [], how);
    if (how === 'wait') assert.equal(signal?.aborted, true);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import type { CliSession } from '../../../src/cli/cliSession';
import { TurnFlow } from '../../../src/conversation/turnFlow';
import { parseMessage } from '../../../src/protocol/messages';
import { TestClock } from './testClock';

test('A turn that says something once a minute, or nothing for an hour, is ended by no clock (P15)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const events: ChatEvent[] = [];
  let ended = 0;
  const sent: string[] = [];
  // The flow uses no other part of a session before Stop.
  const session = {
    sendPrompt: ({ uuid }: { uuid: string }) => {
      sent.push(uuid);
      return Promise.resolve();
    },
  } as unknown as CliSession;
  const flow = new TurnFlow({
    log: silentLogger,
    clock: new TestClock(),
    apply: (event) => events.push(event),
    agent: () => Promise.resolve(session),
    live: () => session,
    endAgent: () => {
      ended += 1;
      return Promise.resolve();
    },
    expand: () => undefined,
    pictures: () => Promise.resolve([]),
    newId: () => 'wire-1',
    now: Date.now,
  });
  const hear = (value: object): void => {
    const parsed = parseMessage(JSON.stringify(value));
    assert.ok(parsed.ok);
    // None of these is a control message.
    flow.receive(parsed.message as Parameters<typeof flow.receive>[0]);
  };
  const opened = Date.now();
  assert.equal(flow.lastTurnStart, opened);
  t.mock.timers.tick(1_000);
  flow.submit({ id: 'p', text: 'a long job' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent, ['wire-1']);
  hear({ type: 'command_lifecycle', command_uuid: 'wire-1', state: 'started' });
  for (let minute = 0; minute < 10; minute += 1) {
    t.mock.timers.tick(60_000);
    hear({ type: 'tool_progress', tool_use_id: 't' });
  }
  t.mock.timers.tick(60 * 60_000);
  assert.equal(flow.isRunning, true);
  // While a turn runs, the one before it is the last; at first there was none.
  assert.equal(flow.lastTurnStart, opened);
  assert.equal(ended, 0);
  assert.ok(events.every(({ type }) => type !== 'failed' && type !== 'cliExited'));
  hear({ type: 'result', subtype: 'success', result: 'done' });
  assert.equal(flow.isRunning, false);
  assert.equal(flow.lastTurnStart, opened + 1_000);
});

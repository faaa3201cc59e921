import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import { createCliSession } from '../../../src/cli/cliSession';
import type { CliExit, LineTransport, TransportFault } from '../../../src/cli/lineTransport';
import { listLogger } from '../../harness/fakeCli/cliHarness';

/** A transport in memory: the test says the lines. */
function createMemoryTransport() {
  const lines = new Emitter<string>();
  const exited = createDeferred<CliExit>();
  const transport: LineTransport = {
    pid: undefined,
    write: () => Promise.resolve(),
    onDidReceiveLine: lines.event,
    onDidFault: new Emitter<TransportFault>().event,
    onDidExit: new Emitter<CliExit>().event,
    exited: exited.promise,
    strays: () => Promise.resolve(0),
    close: () => exited.promise,
  };
  const line = (text: string): void => lines.fire(text);
  const say = (text: string): void => {
    line(JSON.stringify({ type: 'system', subtype: 'notification', text }));
  };
  return { transport, say, line };
}

test('What the CLI says before the first listener is kept for it, in order and once', () => {
  const { transport, say } = createMemoryTransport();
  const session = createCliSession({ transport, handlers: {}, log: silentLogger });
  say('one');
  say('two');
  const heard: [string, string | undefined][] = [];
  const listen = (who: string) =>
    session.onDidReceiveMessage((message) => {
      const isNotice = message.type === 'system' && message.subtype === 'notification';
      heard.push([who, isNotice ? message.text : undefined]);
    });
  const first = listen('a');
  listen('b');
  say('three');
  first.dispose();
  say('four');
  assert.deepEqual(heard, [
    ['a', 'one'],
    ['a', 'two'],
    ['a', 'three'],
    ['b', 'three'],
    ['b', 'four'],
  ]);
});

test('Noise, faults and unknown kinds without end are a bounded log, with nothing secret in it', () => {
  const { transport, line } = createMemoryTransport();
  const log: string[] = [];
  createCliSession({ transport, handlers: {}, log: listLogger(log) });
  line('[debug] key sk-ant-api03-abcdefghijklmnop '.padEnd(5000, 'x'));
  for (let i = 0; i < 1000; i += 1) {
    line('not JSON');
    line('{"type":"assistant"}');
    line(JSON.stringify({ type: `zz${i}${'y'.repeat(2000)}` }));
    line(JSON.stringify({ type: 'system', subtype: `zz${i}` }));
    line(
      `{"type":"control_request","request_id":"${i}","request":{"subtype":"${'q'.repeat(2000)}"}}`,
    );
  }
  const own = log.filter((entry) => !entry.includes('Control request'));
  assert.ok(own.length < 300, `${own.length} lines`);
  assert.ok(log.every((entry) => entry.length < 400));
  assert.ok(log.every((entry) => !entry.includes('sk-ant')));
  assert.ok(own.some((entry) => entry.includes('line 1000 of this kind')));
});

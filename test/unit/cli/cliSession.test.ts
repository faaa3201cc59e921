import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import { createCliSession } from '../../../src/cli/cliSession';
import type { CliExit, LineTransport, TransportFault } from '../../../src/cli/lineTransport';

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
    close: () => exited.promise,
  };
  const say = (text: string): void => {
    lines.fire(JSON.stringify({ type: 'system', subtype: 'notification', text }));
  };
  return { transport, say };
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

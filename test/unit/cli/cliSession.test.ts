import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { createCliSession } from '../../../src/cli/cliSession';
import { listLogger } from '../../harness/fakeCli/cliHarness';
import { createMemoryTransport } from './memoryTransport';

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

test('What was said is in no log, also where a kill has cut its line in two, or it has no type', () => {
  const { transport, line } = createMemoryTransport();
  const log: string[] = [];
  createCliSession({ transport, handlers: {}, log: listLogger(log) });
  line('{"type":"assistant","message":{"content":[{"type":"text","text":"my private words');
  line('  {"text":"private"}');
  line('{"type":"assistant","message":{"role":"private","content":5}}');
  line('nvm: using node 20');
  assert.ok(
    log.every((entry) => !entry.includes('private')),
    log.join('\n'),
  );
  assert.ok(log.some((entry) => entry.includes('81 characters')));
  assert.ok(log.some((entry) => entry.includes('nvm: using node 20')));
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

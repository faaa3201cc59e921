import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer } from '../../../src/mcp/mcpServer';
import { createBench } from './routerFixture';

test('a subscriber is told of updates until it no longer wants to hear, and watchers come and go with it', async () => {
  const watched: string[] = [];
  let changed: () => void = () => undefined;
  const server = createServer({
    name: 'notes',
    resources: [
      defineResource({
        uri: 'note://{id}',
        read: ({ id }) => id,
        watch: (uri, tell) => {
          watched.push(`+${uri}`);
          changed = tell;
          return { dispose: () => watched.push(`-${uri}`) };
        },
      }),
    ],
  });
  const sent: unknown[] = [];
  const { send, router } = createBench([server], { notify: (_, message) => sent.push(message) });
  const ask = (method: string, uri: unknown) => send('notes', { id: 1, method, params: { uri } });
  server.notifyUpdated('note://1');
  await ask('resources/subscribe', 'note://1');
  await ask('resources/subscribe', 'note://1');
  server.notifyUpdated('note://1');
  server.notifyUpdated('note://2');
  changed();
  const update = {
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'note://1' },
  };
  assert.deepEqual(sent, [update, update]);
  await ask('resources/unsubscribe', 'note://1');
  await ask('resources/unsubscribe', 'note://1');
  server.notifyUpdated('note://1');
  changed();
  assert.equal(sent.length, 2);
  await ask('resources/subscribe', 'note://2');
  router.dispose();
  assert.deepEqual(watched, ['+note://1', '-note://1', '+note://2', '-note://2']);
  assert.equal((await ask('resources/subscribe', 'other://1')).error?.code, -32002);
  assert.equal((await ask('resources/unsubscribe', 7)).error?.code, -32602);
});

test('a watcher goes with its resource, and what comes in its place is watched instead', async () => {
  const watched: string[] = [];
  const tells = new Map<string, () => void>();
  const note = (uri: string, label: string) =>
    defineResource({
      uri,
      read: () => label,
      watch: (given, tell) => {
        watched.push(`+${label} ${given}`);
        tells.set(label, tell);
        if (label === 'bad') throw new Error('not watched');
        return { dispose: () => watched.push(`-${label} ${given}`) };
      },
    });
  const server = createServer({ name: 'notes' });
  const old = server.registerResource(note('note://{id}', 'old'));
  const other = server.registerResource(note('other://a', 'other'));
  const sent: unknown[] = [];
  const { send, router, logged } = createBench([server], {
    notify: (_, message) => {
      if ('params' in message) sent.push(message.params);
    },
  });
  const subscribe = (uri: string) =>
    send('notes', { id: 1, method: 'resources/subscribe', params: { uri } });
  /** Who is told when everybody says that there is something new. */
  const heard = () => {
    sent.length = 0;
    for (const tell of tells.values()) tell();
    server.notifyUpdated('note://1');
    return sent.map((params) => (params as { uri: string }).uri).sort();
  };
  const since = () => watched.splice(0);
  await subscribe('note://1');
  await subscribe('other://a');
  assert.deepEqual(since(), ['+old note://1', '+other other://a']);
  assert.deepEqual(heard(), ['note://1', 'note://1', 'other://a']);
  old.dispose();
  assert.deepEqual(since(), ['-old note://1'], 'and the other one is left alone');
  assert.deepEqual(heard(), ['other://a']);
  const anew = server.registerResource(note('note://{key}', 'new'));
  assert.deepEqual(since(), ['+new note://1']);
  assert.deepEqual(heard(), ['note://1', 'note://1', 'other://a'], 'the old one tells nothing');
  const fixed = server.registerResource(note('note://1', 'fixed'));
  assert.deepEqual(since(), ['-new note://1', '+fixed note://1']);
  fixed.dispose();
  assert.deepEqual(since(), ['-fixed note://1', '+new note://1']);
  anew.dispose();
  server.registerResource(note('note://1', 'bad'));
  assert.ok(logged.some((line) => line.includes("'notes' failed with a subscription")));
  assert.deepEqual(since(), ['-new note://1', '+bad note://1']);
  assert.deepEqual(heard(), ['note://1', 'note://1', 'other://a']);
  await send('notes', { id: 1, method: 'resources/unsubscribe', params: { uri: 'note://1' } });
  server.unregister('resource', 'other://a');
  assert.deepEqual(since(), ['-other other://a']);
  assert.deepEqual(heard(), []);
  other.dispose();
  server.registerResource(note('other://a', 'last'));
  router.dispose();
  server.unregister('resource', 'other://a');
  server.registerResource(note('other://a', 'late'));
  assert.deepEqual(since(), ['+last other://a', '-last other://a'], 'nothing after the end');
});

test('whatever a watch gave ends it, and a client is told of no fault where it cannot be ended', async () => {
  const ended: string[] = [];
  const gave: Readonly<Record<string, unknown>> = {
    object: { dispose: () => ended.push('object') },
    function: () => ended.push('function'),
    nothing: undefined,
    odd: 5,
    bad: {
      dispose: () => {
        throw new Error('stuck');
      },
    },
  };
  const resources = Object.entries(gave).map(([name, watcher]) =>
    // From plain JavaScript anything may come.
    defineResource({ uri: `note://${name}`, read: () => 'x', watch: () => watcher as never }),
  );
  const { send, logged, router } = createBench([createServer({ name: 'notes', resources })]);
  const ask = (method: string, name: string) =>
    send('notes', { id: 1, method: `resources/${method}`, params: { uri: `note://${name}` } });
  for (const name of Object.keys(gave)) {
    assert.deepEqual((await ask('subscribe', name)).result, {});
    assert.deepEqual((await ask('unsubscribe', name)).result, {}, name);
  }
  assert.deepEqual(ended, ['object', 'function']);
  assert.equal(logged.length, 2, 'of the odd one and the bad one the log tells');
  await ask('subscribe', 'function');
  router.dispose();
  assert.deepEqual(ended, ['object', 'function', 'function']);
});

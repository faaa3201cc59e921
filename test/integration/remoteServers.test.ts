import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMoodyServer } from '../harness/mcpServers/moodyServer';
import { createAttachedRoom, toolNames, until } from './attachedRoom';

const { ends, attach, callerOf } = await createAttachedRoom('remote');

async function startServer(kind: 'http' | 'sse', tools: readonly string[] = ['any']) {
  const web = await startMoodyServer(kind, tools);
  ends.push(() => web.close());
  return web;
}

for (const type of ['http', 'sse'] as const) {
  test(`A server that falls silent in its start is given up, at first and later: ${type}`, async () => {
    const web = await startServer(type);
    for (const mood of ['silent', 'silent when ready'] as const) {
      web.mood = mood;
      await assert.rejects(
        attach('mute', { type, url: web.url }, { readyWithinMs: 200 }),
        /did not connect within|timed out/,
      );
    }
    web.mood = 'well';
    const server = await attach('later', { type, url: web.url }, { readyWithinMs: 2_000 });
    const call = callerOf(server);
    await until('it listens', () => web.streams > 0);
    web.forgets = 404;
    web.mood = 'silent';
    web.cut();
    if (type === 'sse') assert.match(await call('any'), /"error".*(connect|timed out|closed)/i);
    web.forgets = undefined;
    web.mood = 'well';
    assert.match(await call('any'), /"text":"answered"/);
  });

  test(`What a server offers after it was away is told without a call: ${type}`, async () => {
    const web = await startServer(type, ['old']);
    const server = await attach('away', { type, url: web.url });
    await until('it listens', () => web.streams > 0);
    // Cut only, as by a proxy.
    web.tools = ['cut'];
    web.cut();
    await until('the tools are known', () => toolNames(server).join() === 'cut');
    // Longer than the SDK tries it.
    web.mood = 'away';
    web.cut();
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    web.tools = ['new'];
    web.mood = 'well';
    await until('the tools are known', () => toolNames(server).join() === 'new');
    await until('it listens again', () => web.streams === 1);
  });
}

test('What a server declares when hands are shaken anew counts from then on', async () => {
  const web = await startServer('sse', ['later']);
  web.capabilities = {};
  const server = await attach('grown', { type: 'sse', url: web.url });
  assert.deepEqual(toolNames(server), []);
  web.capabilities = { tools: {}, prompts: {} };
  web.cut();
  await until('its tools are known', () => toolNames(server).join() === 'later');
  const declared = server.manifest?.()?.initializeResult.capabilities ?? {};
  assert.deepEqual(Object.keys(declared).toSorted(), ['prompts', 'tools']);
});

test('A server that is lost in its start is not connected to any more', async () => {
  const web = await startServer('sse');
  web.mood = 'without lists';
  const given = attach('left', { type: 'sse', url: web.url });
  await until('it is asked for its tools', () => web.called === 1);
  web.cut();
  await assert.rejects(given, /closed/i);
  web.mood = 'well';
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal(web.asked, 1);
});

test('An answer may be as late as its call allows, whatever limits connections have that say nothing', async () => {
  const key = Symbol.for('undici.globalDispatcher.1');
  await fetch('data:,');
  const before: unknown = Reflect.get(globalThis, key);
  const Agent = (before as object).constructor as new (options: object) => object;
  // Of Node's own five minutes.
  Reflect.set(globalThis, key, new Agent({ headersTimeout: 300, bodyTimeout: 300 }));
  try {
    const web = await startServer('http');
    const sse = await startServer('sse');
    await assert.rejects(
      fetch(sse.url).then((response) => response.text()),
      /terminated/,
    );
    const call = callerOf(await attach('web', { type: 'http', url: web.url }));
    const old = callerOf(await attach('old', { type: 'sse', url: sse.url }));
    // Reached as one of another machine is.
    const away = web.url.replace('127.0.0.1', '0.0.0.0');
    const far = callerOf(await attach('far', { type: 'http', url: away }));
    const here = [call('late'), call('late stream'), old('late')];
    const answers = await Promise.all([...here, far('late'), far('late stream')]);
    for (const answer of answers) assert.match(answer, /"text":"answered"/);
  } finally {
    Reflect.set(globalThis, key, before);
  }
});

test('An answer that cannot come, or cannot be read, is an error at once', async () => {
  const began = performance.now();
  const web = await startServer('http');
  const call = callerOf(await attach('web', { type: 'http', url: web.url }));
  await until('it listens', () => web.streams > 0);
  const accepted = call('accepted');
  await until('it is accepted', () => web.called === 2);
  web.mood = 'away';
  web.cut();
  assert.match(await accepted, /"error".*no way to answer what it has accepted/);
  const sse = await startServer('sse');
  const old = callerOf(await attach('old', { type: 'sse', url: sse.url }));
  assert.match(await old('unread'), /"error".*no answer of JSON-RPC/);
  assert.match(await old('any'), /"text":"answered"/);
  // A call has a minute.
  assert.ok(performance.now() - began < 30_000);
});

test('A session that a server over SSE does not know is made anew, and the call is made in it', async () => {
  for (const status of [404, 410, 400]) {
    const web = await startServer('sse');
    const call = callerOf(await attach(`sse${status}`, { type: 'sse', url: web.url }));
    web.forgets = status;
    assert.match(await call('any'), /"text":"answered"/);
    assert.equal(web.asked, 2);
  }
});

test('Nothing more is asked for of a stream that has ended with an error', async () => {
  const web = await startServer('http');
  const call = callerOf(await attach('web', { type: 'http', url: web.url }));
  await until('it listens', () => web.streams === 1);
  assert.match(await call('failed event'), /"error".*failed/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual([web.asked, web.streams], [1, 1]);
});

test('A page in place of an answer is told by its beginning, without secrets', async () => {
  const web = await startServer('http');
  const call = callerOf(await attach('web', { type: 'http', url: web.url }));
  const answer = await call('page');
  assert.match(answer, /"error".*<html>•••xx/);
  assert.ok(answer.length < 1_000);
});

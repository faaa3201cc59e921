import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttachedEntry } from '../../src/doors/attachedEntry';
import {
  answerTo,
  listen,
  readMessage,
  startLossyServer,
  startStrictSseServer,
} from '../harness/mcpServers/lossyServer';
import { createAttachedRoom, until } from './attachedRoom';

const { ends, attach, callerOf } = await createAttachedRoom('lost');

test('An answer over HTTP that does not come any more is an error at once, and no call waits for its time', async () => {
  const ways = ['answers', 'ends', 'ends in the middle', 'is no answer', 'breaks'];
  const web = await startLossyServer(ways);
  ends.push(() => web.close());
  const call = callerOf(await attach('lossy', { type: 'http', url: web.url }));
  const began = performance.now();
  const [answered, ...lost] = await Promise.all(ways.map((way) => call(way)));
  assert.match(answered ?? '', /"text":"answered"/);
  for (const [at, answer] of lost.entries()) {
    const why =
      ways[at + 1] === 'is no answer'
        ? /no answer of JSON-RPC/
        : /the connection to the server was lost/i;
    assert.match(answer, why);
  }
  // A call has a minute.
  assert.ok(performance.now() - began < 30_000);
});

test('The rest of a stream over HTTP is asked for, and where there is none that is an error', async () => {
  const ways = ['goes on', 'has an empty rest', 'knows nothing of it', 'has no rests'];
  const web = await startLossyServer(ways);
  ends.push(() => web.close());
  const call = callerOf(await attach('resumed', { type: 'http', url: web.url }));
  const began = performance.now();
  const [answered, ...lost] = await Promise.all(ways.map((way) => call(way)));
  assert.match(answered ?? '', /"text":"answered"/);
  for (const answer of lost) assert.match(answer, /the connection to the server was lost/i);
  // A call has a minute.
  assert.ok(performance.now() - began < 30_000);
  assert.deepEqual(web.called.toSorted(), ways.toSorted(), 'nothing is asked once more');
});

test('JSON over HTTP that answers something else is an error at once, in words', async () => {
  const ways = ['answers another', 'answers nobody', 'is no message'];
  const web = await startLossyServer(ways);
  ends.push(() => web.close());
  const call = callerOf(await attach('beside', { type: 'http', url: web.url }));
  const began = performance.now();
  for (const answer of await Promise.all(ways.map((way) => call(way)))) {
    assert.match(answer, /"error".*has answered, but not what was asked/);
  }
  assert.ok(performance.now() - began < 30_000);
});

test('What a server over HTTP refuses is not asked once more, and its session goes on', async () => {
  const web = await startLossyServer(['refuses']);
  ends.push(() => web.close());
  const call = callerOf(await attach('refusing', { type: 'http', url: web.url }));
  assert.match(await call('refuses'), /"error".*The name is empty/);
  assert.deepEqual([web.called, web.sessions.size], [['refuses'], 1]);
});

test('The session of a server over HTTP ends with its offer', async () => {
  const web = await startLossyServer(['answers']);
  ends.push(() => web.close());
  const server = await attach('kept', { type: 'http', url: web.url });
  assert.equal(web.sessions.size, 1);
  server.dispose();
  await until('the session is ended', () => web.sessions.size === 0);
});

test('A server over SSE that was started again is connected to anew, and what it owed is an error', async () => {
  const web = await startStrictSseServer();
  ends.push(() => web.close());
  const server = await attach('strict', { type: 'sse', url: web.url });
  let isClosed = false;
  server.onDidClose(() => (isClosed = true));
  const call = callerOf(server);
  assert.match(await call('answers'), /"text":"answered"/);
  for (let round = 0; round < 2; round += 1) {
    const hanging = call('hangs');
    await until('it is asked', () => web.hanging > 0);
    web.restart();
    assert.match(await hanging, /"error".*closed/i);
    assert.match(await call('answers'), /"text":"answered"/);
  }
  await web.close();
  assert.match(await call('answers'), /"error"/);
  assert.equal(isClosed, false);
});

test('A program that begins with a byte order mark is understood', async () => {
  const program = `
    let mark = '\\ufeff';
    const send = (message) => { process.stdout.write(mark + JSON.stringify(message) + '\\n'); mark = ''; };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const serverInfo = { name: 'marked', version: '1' };
      const hands = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
      const result = method === 'initialize' ? hands : { tools: [], content: [] };
      if (id !== undefined) send({ jsonrpc: '2.0', id, result });
    });`;
  const entry: AttachedEntry = { type: 'stdio', command: process.execPath, args: ['-e', program] };
  const call = callerOf(await attach('marked', entry));
  assert.match(await call('any'), /"result"/);
});

test('An answer over stdio that is none is an error at once', async () => {
  const kinds = ['"result":null', '"result":"text"', '"error":"text"', '"x":1'];
  const program = `
    const send = (text) => process.stdout.write(text + '\\n');
    const kinds = ${JSON.stringify(kinds)};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const result = method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }
        : { tools: kinds.map((_, at) => ({ name: 'kind' + at, inputSchema: { type: 'object' } })) };
      if (method === 'tools/call') send('{"jsonrpc":"2.0","id":' + id + ',' + kinds[params.name.slice(4)] + '}');
      else if (id !== undefined) send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;
  const entry: AttachedEntry = { type: 'stdio', command: process.execPath, args: ['-e', program] };
  const call = callerOf(await attach('odd', entry));
  const began = performance.now();
  for (const answer of await Promise.all(kinds.map((_, at) => call(`kind${at}`)))) {
    assert.match(answer, /"error".*no answer of JSON-RPC/);
  }
  // A call has a minute.
  assert.ok(performance.now() - began < 30_000);
});

/** What stands in place of an answer, by the name of the tool; `ID` is the id of the call. */
const UNREAD: Readonly<Record<string, string>> = {
  'not finite': '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"x":NaN}}',
  cut: '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"a',
  text: '{"jsonrpc":"2.0","id":ID,"result":"text"}',
  bare: '{"id":ID,"result":{"content":[]}}',
  'in a list': '[{"jsonrpc":"2.0","id":ID,"result":"text"}]',
};
/** What can be read, or is no answer at all, before the answer. */
const READ: Readonly<Record<string, string>> = {
  listed: '[{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"answered"}]}}]',
  'other words': 'Listening …',
  'a broken question': '{"jsonrpc":"2.0","id":ID,"method":"roots/list","params":{"x":NaN}}',
  'an answer to another': '{"jsonrpc":"2.0","id":999,"result":NaN}',
};
const textOf = (way: string, id: unknown): string =>
  (UNREAD[way] ?? READ[way] ?? '').replace('ID', String(id));

for (const type of ['http', 'stdio'] as const) {
  test(`An answer that cannot be read is an error at once, while all stays open, and what can be read is: ${type}`, async () => {
    const ways = [...Object.keys(UNREAD), ...Object.keys(READ)];
    const program = `
      const texts = ${JSON.stringify({ ...UNREAD, ...READ })};
      const names = Object.keys(texts);
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const hands = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } };
        const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
        const content = [{ type: 'text', text: 'answered' }];
        if (id === undefined) return;
        if (method === 'tools/call') console.log(texts[params.name].replace('ID', id));
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? hands : { tools, content } }));
      });`;
    const web = await listen(async (request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const message = await readMessage(request);
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { name = '' } = message.params ?? {};
      if (message.method === 'tools/call') {
        // A sign of life is no message, and a message may come in two pieces.
        response.write(`event: ping\ndata: {"id":${message.id},"result":1}\n\n`);
        const event = `event: message\ndata: ${textOf(name, message.id)}\n\n`;
        response.write(event.slice(0, 20));
        await new Promise((resolve) => setImmediate(resolve));
        response.write(event.slice(20));
        if (UNREAD[name] !== undefined) return;
      }
      response.write(`data: ${JSON.stringify(answerTo(message, ways))}\r\n\r\n`);
    });
    ends.push(() => web.close());
    const entry: AttachedEntry =
      type === 'http'
        ? { type, url: `${web.url}/mcp` }
        : { type, command: process.execPath, args: ['-e', program] };
    const call = callerOf(await attach(`unread-${type}`, entry));
    const began = performance.now();
    for (const way of Object.keys(UNREAD)) {
      assert.match(await call(way), /"error".*no answer of JSON-RPC/, way);
    }
    for (const way of Object.keys(READ)) {
      assert.match(await call(way), /"text":"answered"/, way);
    }
    // A call has a minute.
    assert.ok(performance.now() - began < 30_000);
  });
}

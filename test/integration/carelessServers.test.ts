import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttachedEntry } from '../../src/doors/attachedEntry';
import type { AskQuestion } from '../../src/mcp/askPort';
import { ServerRegistry } from '../../src/mcp/registry';
import { createRouter } from '../../src/mcp/router';
import { inRoot } from '../harness/paths';
import { createAttachedRoom, until } from './attachedRoom';

const { base, ends, lines, log, attach, callerOf } = await createAttachedRoom('careless');

/** A server over stdio as somebody wrote it by hand: what it answers to `initialize`, as JavaScript. */
const byHand = (hands: string, more = ''): AttachedEntry => ({
  type: 'stdio',
  command: process.execPath,
  args: [
    '-e',
    `const { TOKEN } = process.env;
     const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { id, method, params } = JSON.parse(line);
       if (id === undefined) return;
       if (method === 'initialize') { send({ id, result: ${hands} }); return; }
       ${more}
       send({ id, result: { tools: [], content: [] } });
     });`,
  ],
  env: { TOKEN: 's3cret' },
});
const HANDS =
  "{ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } }";

test('What shakes hands carelessly is taken as every server of others is, or refused in words', async () => {
  const before = lines.length;
  const bare = await attach(
    'bare',
    byHand(
      "{ protocolVersion: params.protocolVersion, capabilities: { tools: true, resources: null }, serverInfo: { name: 'x' }, instructions: 5 }",
    ),
  );
  assert.deepEqual(bare.manifest?.()?.initializeResult.capabilities, {
    tools: { listChanged: true },
  });
  assert.match(lines.slice(before).join('\n'), /bare is offered although .*serverInfo\.version/);
  await assert.rejects(attach('empty', byHand('{}')), (error: Error) => {
    assert.match(error.message, /^Its answer to initialize is not one of an MCP server: /);
    return true;
  });
  const late = HANDS.replace('params.protocolVersion', "'2099-01-01'");
  await assert.rejects(
    attach('late', byHand(late)),
    /protocolVersion '2099-01-01', but has to speak/,
  );
});

test('A form of any fields that can be shown is asked, without its expressions', async () => {
  const asking: AttachedEntry = {
    type: 'stdio',
    command: process.execPath,
    args: [inRoot('test/harness/mcpServers/askingServer.mjs'), 'forms'],
  };
  const registry = new ServerRegistry();
  registry.add(await attach('forms', asking));
  const asked: unknown[] = [];
  const router = createRouter({
    registry,
    log,
    conversation: { id: 'c', cwd: base },
    ask: ({ schema }) => {
      asked.push(schema.properties);
      return Promise.resolve({ action: 'accept', content: { a: 'x' } });
    },
  });
  const fields = [
    { type: 'string' },
    { type: 'string', format: 'uuid' },
    { type: ['string', 'null'] },
    { type: 'string', minLength: 1, pattern: '^(x+)+$' },
    { enum: ['x', 'y'] },
    { anyOf: [{ const: 'x', title: 'X' }] },
  ];
  for (const [id, a] of fields.entries()) {
    const schema = { type: 'object', properties: { a } };
    const params = { name: 'form', arguments: { schema } };
    const frame = { jsonrpc: '2.0', id, method: 'tools/call', params };
    const answer = JSON.stringify(await router.route('forms', frame, { requestId: `r${id}` }));
    assert.match(
      answer,
      /answer \{\\"action\\":\\"accept\\",\\"content\\":\{\\"a\\":\\"x\\"\}\}/,
      answer,
    );
    const shown = Object.entries(a).filter(([key]) => key !== 'pattern');
    assert.deepEqual(asked.at(-1), { a: Object.fromEntries(shown) });
  }
  const page = { name: 'page', arguments: { url: 'https://example.com' } };
  const frame = { jsonrpc: '2.0', id: 99, method: 'tools/call', params: page };
  const answer = JSON.stringify(await router.route('forms', frame, { requestId: 'page' }));
  assert.match(answer, /elicitation\/create' not supported/);
  router.dispose();
});

test('What a server says, and why it fails, is in the log and for the model without its secrets', async () => {
  const before = lines.length;
  const told = (): string => lines.slice(before).join('\n');
  const talking = await attach(
    'talking',
    byHand(
      HANDS,
      `if (method === 'tools/list' && globalThis.listed) { send({ id, error: { code: -1, message: 'not with ' + TOKEN } }); return; }
       if (method === 'tools/list') globalThis.listed = true;
       if (method === 'tools/call') {
         const say = (level, data, more) => send({ method: 'notifications/message', params: { level, data, ...more } });
         say('error', 'disk full, ' + TOKEN, { logger: 'disk' });
         say('debug', { free: 0 });
         say('unheard of', 'odd');
         for (let at = 0; at < 1000; at += 1) say('info', 'flood ' + at);
         send({ method: 'notifications/tools/list_changed' });
         send({ id, error: { code: -1, message: 'wrong token ' + TOKEN } });
         return;
       }`,
    ),
  );
  const registry = new ServerRegistry();
  registry.add(talking);
  // Two conversations: what a server says is said once.
  for (const id of ['c', 'd']) {
    const router = createRouter({ registry, log, conversation: { id, cwd: base } });
    ends.push(() => router.dispose());
    const frame = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    await router.route('talking', frame, { requestId: 'l' });
    if (id === 'c') continue;
    const params = { name: 'any', arguments: {} };
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
    assert.match(
      JSON.stringify(await router.route('talking', call, { requestId: 'r' })),
      /wrong token •••/,
    );
  }
  await until('the list is refused', () => told().includes('could not be listed'));
  const said = lines.slice(before).filter((line) => line.includes('[talking'));
  assert.deepEqual(said.slice(0, 3), [
    'error: [talking/disk] disk full, •••',
    'debug: [talking] {"free":0}',
    'info: [talking] odd',
  ]);
  // A hundred in a second.
  assert.ok(said.length < 500, String(said.length));
  assert.match(told(), /The tools of talking could not be listed: not with •••/);
  assert.doesNotMatch(told(), /s3cret/);
});

test('A server that writes without end to its error output leaves a log that can be read', async () => {
  const before = lines.length;
  const noisy = await attach(
    'noisy',
    byHand(
      HANDS,
      "if (method === 'tools/call') for (let at = 0; at < 50_000; at += 1) process.stderr.write('noise ' + at + '\\n');",
    ),
  );
  const call = callerOf(noisy);
  await call('any');
  const told = (): string[] => lines.slice(before).filter((line) => line.includes('[noisy]'));
  const isCounted = (): boolean => told().some((line) => /\d{3,} lines .* left out/.test(line));
  for (const end = Date.now() + 60_000; !isCounted(); await call('any'))
    assert.ok(Date.now() < end, 'what was left out is counted');
  assert.ok(told().length < 5_000, String(told().length));
});

test('A form is asked while several calls of a conversation run, until the last of them has ended', async () => {
  const asking: AttachedEntry = {
    type: 'stdio',
    command: process.execPath,
    args: [inRoot('test/harness/mcpServers/askingServer.mjs'), 'several'],
  };
  const server = await attach('several', asking);
  const forms: AskQuestion[] = [];
  const call = callerOf(server, {
    ask: (question) => {
      forms.push(question);
      return new Promise((resolve) => {
        question.signal.addEventListener('abort', () => resolve({ action: 'cancel' }));
        answers.push((a) => resolve({ action: 'accept', content: { a } }));
      });
    },
  });
  const answers: ((a: string) => void)[] = [];
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const first = call('form', { schema });
  await until('the first one asks', () => forms.length === 1);
  const second = call('form', { schema });
  await until('the second one asks', () => forms.length === 2);
  // The first call ends; what the second one has asked stands on.
  answers[0]?.('one');
  assert.match(await first, /"content\\":\{\\"a\\":\\"one\\"\}/);
  await until('it is asked again', () => forms.length === 3);
  answers[2]?.('two');
  assert.match(await second, /"content\\":\{\\"a\\":\\"two\\"\}/);
  // Whom to ask is not clear of two conversations.
  const other = callerOf(server);
  const waiting = call('form', { schema });
  await until('it asks', () => forms.length === 4);
  assert.match(await other('form', { schema }), /not clear in which conversation/);
  answers[3]?.('three');
  await waiting;
});

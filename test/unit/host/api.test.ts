import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { createDeferred } from '../../../src/base/deferred';
import { type Logger, silentLogger } from '../../../src/base/logger';
import { ApiConsent } from '../../../src/host/apiConsent';
import { HookBook } from '../../../src/conversation/hookBook';
import { ApiHub } from '../../../src/host/apiHub';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createToolContext } from '../../../src/mcp/toolContext';
import { inRoot } from '../../harness/paths';

function consent(answer?: Promise<boolean | undefined>, store?: () => Promise<never>) {
  const asked: string[] = [];
  let stored: unknown;
  const made = new ApiConsent({
    memory: { get: () => stored, set: store ?? ((value) => (stored = structuredClone(value))) },
    ask: (id) => {
      asked.push(id);
      return answer ?? Promise.resolve(true);
    },
  });
  return { made, asked, stored: () => stored };
}

test('An extension is asked about once, and the answer is remembered and can be changed', async () => {
  const { made, asked, stored } = consent();
  assert.deepEqual(await Promise.all([made.request('a.b'), made.request('a.b')]), [true, true]);
  assert.equal(await made.request('a.b'), true);
  assert.deepEqual([asked, stored()], [['a.b'], { 'a.b': true }]);
  await made.set('a.b', false);
  assert.equal(await made.request('a.b'), false);
  assert.equal(made.answer('constructor'), undefined);
  assert.equal(await made.request('constructor'), true);
});

test('A question without an answer is a no for this window only, and may be answered elsewhere', async () => {
  const closed = consent(Promise.resolve(undefined));
  assert.equal(await closed.made.request('a.b'), false);
  assert.equal(await closed.made.request('a.b'), false);
  assert.deepEqual([closed.asked.length, closed.stored()], [1, undefined]);
  const late = createDeferred<boolean | undefined>();
  const open = consent(late.promise);
  const asking = open.made.request('a.b');
  await open.made.set('a.b', true);
  assert.equal(await asking, true);
  late.resolve(false);
  await new Promise(setImmediate);
  assert.equal(open.made.answer('a.b'), true);
});

for (const isAllowed of [true, false]) {
  test(`An answer that cannot be stored holds in this window: ${isAllowed}`, async () => {
    const full = (): Promise<never> => Promise.reject(new Error('disk full'));
    const { made, asked } = consent(Promise.resolve(isAllowed), full);
    const failed: unknown[] = [];
    made.onDidFail((error) => failed.push(error));
    assert.equal(await made.request('a.b'), isAllowed);
    assert.equal(await made.request('a.b'), isAllowed);
    assert.deepEqual([asked, made.answer('a.b')], [['a.b'], isAllowed]);
    await new Promise(setImmediate);
    assert.match(String(failed), /^Error: disk full$/);
    await assert.rejects(made.set('a.b', !isAllowed), /disk full/, 'who sets it is told');
    assert.equal(await made.request('a.b'), !isAllowed);
  });
}

test('What an extension offers comes and goes by an answer that cannot be stored, and a line says so', async () => {
  const lines: string[] = [];
  const full = (): Promise<never> => Promise.reject(new Error('disk full'));
  const log = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  const { api, names } = hub(Promise.resolve(true), { store: full, log });
  await api.settled(api.offer('a.b', 'tool', greet));
  assert.deepEqual(names(), ['a_b']);
  assert.match(lines.join(), /disk full/);
  await assert.rejects(api.allow('a.b', false), /disk full/);
  assert.deepEqual([names(), api.sources], [[], [{ id: 'a.b', isAllowed: false }]]);
  await assert.rejects(api.allow('a.b', true), /disk full/);
  assert.deepEqual(names(), ['a_b']);
});

/** Conversations never end by themselves here. */
function hub(
  answer?: Promise<boolean | undefined>,
  given: { readonly store?: () => Promise<never>; readonly log?: Logger } = {},
) {
  const registry = new ServerRegistry();
  const { made, asked } = consent(answer, given.store);
  const hooks = new HookBook();
  const started: (AbortSignal | undefined)[] = [];
  const api = new ApiHub({
    registry,
    consent: made,
    hooks,
    log: given.log ?? silentLogger,
    startConversation: (_source, { signal }) => {
      started.push(signal);
      return Promise.resolve({
        send: () => undefined,
        dispose: () => undefined,
        [Symbol.asyncIterator]: () => assert.fail('nobody iterates'),
      });
    },
  });
  const names = () => registry.all().map(({ name }) => name);
  return { registry, api, names, hooks, consent: made, asked, started };
}

const greet = {
  name: 'greet',
  description: 'Greets',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ name }: { name: string }) => `Hi ${name}`,
};

test('What an extension registers is offered on a server of its name, without its word that it only reads', async () => {
  const { registry, api, names } = hub();
  const tool = api.offer('acme.sample', 'tool', greet);
  const prompt = api.offer('acme.sample', 'prompt', { name: 'welcome', run: () => 'x' });
  await api.settled(tool);
  await api.settled(prompt);
  assert.deepEqual(names(), ['acme_sample']);
  const server = registry.get('acme_sample');
  assert.equal(server?.source, 'acme.sample');
  assert.deepEqual(server.listTools()[0]?.annotations, { openWorldHint: false });
  const result = await server.execute('greet', { name: 'Ann' }, createToolContext());
  assert.deepEqual(result.content, [{ type: 'text', text: 'Hi Ann' }]);
  tool.dispose();
  tool.dispose();
  assert.deepEqual([names(), server.tools().length], [['acme_sample'], 0]);
  prompt.dispose();
  assert.deepEqual(names(), []);
});

test('A hook counts from the consent on until it is taken back, and a tool may say which files it writes', async () => {
  const { api, hooks, registry } = hub();
  const hook = api.offer('acme.sample', 'hook', { event: 'Stop', run: () => undefined });
  await api.settled(hook);
  assert.deepEqual([...hooks.events], ['Stop']);
  await api.allow('acme.sample', false);
  assert.deepEqual([...hooks.events], []);
  await api.allow('acme.sample', true);
  assert.deepEqual([...hooks.events], ['Stop']);
  hook.dispose();
  assert.deepEqual([...hooks.events], []);
  const open = createDeferred<boolean | undefined>();
  const asked = hub(open.promise);
  const twice = asked.api.offer('acme.sample', 'hook', { event: 'Stop', run: () => undefined });
  await asked.api.allow('acme.sample', true);
  await asked.api.settled(twice);
  assert.equal(asked.hooks.matching('Stop', {}).length, 1, 'an answer by two ways makes one');
  twice.dispose();
  assert.deepEqual([...asked.hooks.events], []);
  const edits = ({ name }: { name: string }): string[] => [`${name}.txt`];
  await api.settled(api.offer('acme.sample', 'tool', { ...greet, edits }));
  const tool = registry.get('acme_sample')?.getTool('greet');
  assert.deepEqual(await tool?.edits?.({ name: 'Ann' }), ['Ann.txt']);
});

test('A bad definition is refused with its reason and keeps nothing away', async () => {
  const { api, names } = hub();
  const bad = [
    ['tool', { ...greet, name: 'a b' }, /may only have/],
    ['tool', { ...greet, input: { type: 'string' } }, /needs type 'object'/],
    ['tool', { ...greet, run: 7 }, /run/],
    ['tool', undefined, /./],
    ['hook', { event: 'Nope', run: () => undefined }, /no hook event 'Nope'/],
    ['prompt', { name: 'p', run: 'x' }, /run must be a function/],
    ['resource', { uri: 'no scheme', read: () => '' }, /must begin with a scheme/],
    ['resource', { uri: 'note://a' }, /'note:\/\/a': read must be a function/],
    ['server', { name: 'x', resources: [{ uri: 'note://a', read: 5 }] }, /read must be a function/],
    ['server', null, /a server must be an object/],
    ['server', { name: 'x', server: {} }, /must have connect\(transport\)/],
    ['server', { name: 'x', server: null }, /must have connect\(transport\)/],
    ['server', { name: 'ide' }, /taken by the CLI/],
    ['server', { name: 'x', tools: [{ ...greet, name: '' }] }, /name/],
    ['server', { name: 'x', tools: greet }, /tools: must be a list/],
    ['server', { name: 'x', server: { connect: () => Promise.reject(new Error('no')) } }, /no/],
  ] as const;
  for (const [kind, definition, reason] of bad) {
    await assert.rejects(api.settled(api.offer('a.b', kind, definition)), reason);
  }
  assert.deepEqual(names(), []);
  await api.settled(api.offer('a.b', 'tool', greet));
  await assert.rejects(api.settled(api.offer('a.b', 'tool', greet)), /already has a tool 'greet'/);
  await assert.rejects(api.settled(api.offer('c.d', 'server', { name: 'a_b' })), /both be offered/);
  assert.deepEqual(names(), ['a_b']);
});

const bad = {
  'a schema that is none of an object': { ...greet, name: 'bad', input: { type: 'array' } },
  'a name that is not legal': { ...greet, name: 'b a d' },
  'a name that is taken': greet,
  'no run': { ...greet, name: 'bad', run: undefined },
  'nothing at all': undefined,
};
for (const [title, definition] of Object.entries(bad)) {
  test(`A definition of a server with ${title} is named, and keeps no other away`, async () => {
    const { api, registry, names } = hub();
    const prompt = { name: 'welcome', run: () => 'x' };
    const resource = { uri: 'note://one', read: () => 'x' };
    const tools = [greet, definition, { ...greet, name: 'last' }];
    const offer = api.offer('a.b', 'server', {
      name: 'dice',
      tools,
      prompts: [prompt, prompt],
      resources: [{ ...resource, uri: 'no scheme' }, resource],
    });
    await assert.rejects(api.settled(offer), ({ message }: Error) => {
      const [first, ...rest] = message.split('\n');
      assert.equal(first, "Of the server 'dice' these are not offered, all others are:");
      assert.deepEqual(
        rest.map((line) => line.split(': ')[0]),
        ['tools[1]', 'prompts[1]', 'resources[0]'],
      );
      return true;
    });
    const server = registry.get('dice');
    assert.deepEqual(
      [server?.tools(), server?.prompts()].map((list) => list?.map(({ name }) => name)),
      [['greet', 'last'], ['welcome']],
    );
    assert.deepEqual(
      server?.resources().map(({ uri }) => uri),
      ['note://one'],
    );
    await api.allow('a.b', false);
    assert.deepEqual(names(), []);
    await api.allow('a.b', true);
    assert.deepEqual(names(), ['dice']);
    offer.dispose();
    assert.deepEqual(names(), []);
  });
}

test('What a server lacks is told by whichever way the person has answered', async () => {
  const { api, registry } = hub(createDeferred<boolean | undefined>().promise);
  const tools = [greet, { ...greet, name: 'b a d' }];
  const offer = api.offer('a.b', 'server', { name: 'dice', tools });
  await api.allow('a.b', true);
  await assert.rejects(api.settled(offer), /tools\[1\]/);
  assert.equal(registry.get('dice')?.tools().length, 1);
});

test('A tool whose whole name another server has keeps the rest of its server', async () => {
  const { api, registry } = hub();
  await api.settled(api.offer('a.b', 'server', { name: 'a', tools: [{ ...greet, name: 'b__c' }] }));
  const tools = [{ ...greet, name: 'c' }, greet];
  const offer = api.offer('a.b', 'server', { name: 'a__b', tools });
  await assert.rejects(api.settled(offer), /tools\[0\].*mcp__a__b__c/);
  assert.deepEqual(
    registry
      .get('a__b')
      ?.tools()
      .map(({ name }) => name),
    ['greet'],
  );
});

test('What is disposed of before it is offered says so at once, wherever it was', async () => {
  const open = hub(createDeferred<boolean | undefined>().promise);
  const asked = open.api.offer('a.b', 'tool', greet);
  const waits = open.api.settled(asked);
  asked.dispose();
  await assert.rejects(waits, /disposed of before it was offered/);
  const { api, names } = hub();
  const connecting = createDeferred<undefined>();
  const server = { connect: () => connecting.promise };
  const theirs = api.offer('a.b', 'server', { name: 'theirs', server });
  const connects = api.settled(theirs);
  await new Promise(setImmediate);
  theirs.dispose();
  await assert.rejects(connects, /disposed of before it was offered/);
  const early = api.offer('a.b', 'tool', greet);
  early.dispose();
  await assert.rejects(api.settled(early), /disposed of before it was offered/);
  const offered = api.offer('a.b', 'tool', greet);
  await api.settled(offered);
  offered.dispose();
  await api.settled(offered);
  connecting.resolve(undefined);
  await new Promise(setImmediate);
  assert.deepEqual(names(), []);
});

test('What is taken back while a server is being connected is not offered, and says so', async () => {
  const { api, names } = hub();
  const connecting = createDeferred<undefined>();
  const server = new McpServer({ name: 'x', version: '1' });
  const connect = async (transport: never): Promise<void> => {
    await connecting.promise;
    await server.connect(transport);
  };
  const settled = api.settled(api.offer('a.b', 'server', { name: 'theirs', server: { connect } }));
  settled.catch(() => undefined);
  await new Promise(setImmediate);
  await api.allow('a.b', false);
  connecting.resolve(undefined);
  await assert.rejects(settled, /has not allowed/);
  assert.deepEqual([names(), server.isConnected()], [[], false]);
});

test('A conversation is not started where its signal has fired, and waits no longer than that for the consent', async () => {
  const early = hub();
  const gone = AbortSignal.abort(new Error('gone'));
  await assert.rejects(
    early.api.startConversation('a.b', { prompt: 'x', signal: gone }),
    /^Error: gone$/,
  );
  assert.deepEqual([early.asked, early.started, early.api.sources], [[], [], []]);
  const answer = createDeferred<boolean | undefined>();
  const late = hub(answer.promise);
  const stop = new AbortController();
  const starting = late.api.startConversation('a.b', { prompt: 'x', signal: stop.signal });
  stop.abort(new Error('enough'));
  await assert.rejects(starting, /^Error: enough$/);
  answer.resolve(true);
  await new Promise(setImmediate);
  assert.deepEqual(late.started, []);
});

test('Consent that is taken back ends the conversations of that extension, and no others', async () => {
  const { api, started } = hub();
  const own = new AbortController();
  await api.startConversation('a.b', { prompt: 'x', signal: own.signal });
  await api.startConversation('a.b', { prompt: 'y' });
  await api.startConversation('c.d', { prompt: 'z' });
  const ended = () => started.map((signal) => signal?.aborted);
  own.abort(new Error('mine'));
  assert.deepEqual(ended(), [true, false, false]);
  await api.allow('a.b', false);
  assert.deepEqual(ended(), [true, true, false]);
  assert.match(String(started[1]?.reason), /has not allowed the extension a\.b/);
  await api.allow('a.b', true);
  await api.startConversation('a.b', { prompt: 'x' });
  assert.deepEqual(ended(), [true, true, false, false]);
});

test('A server of the SDK is offered by its registration, and disconnected with it', async () => {
  const { api, names, registry } = hub();
  const server = new McpServer({ name: 'x', version: '1' });
  server.registerTool('ping', {}, () => ({ content: [] }));
  const offer = api.offer('a.b', 'server', { name: 'theirs', server });
  await api.settled(offer);
  assert.deepEqual([names(), registry.find('theirs')?.kind], [['theirs'], 'foreign']);
  assert.ok(server.isConnected());
  offer.dispose();
  assert.deepEqual([names(), server.isConnected()], [[], false]);
});

test('Nothing is offered before the person has allowed it, and all goes when that is taken back', async () => {
  const answer = createDeferred<boolean | undefined>();
  const { api, names } = hub(answer.promise);
  const tool = api.offer('a.b', 'tool', greet);
  const server = api.offer('a.b', 'server', { name: 'dice', tools: [greet] });
  const gone = api.offer('a.b', 'tool', { ...greet, name: 'gone' });
  gone.dispose();
  await new Promise(setImmediate);
  assert.deepEqual([names(), api.sources], [[], [{ id: 'a.b', isAllowed: undefined }]]);
  await api.allow('a.b', true);
  await Promise.all([api.settled(tool), api.settled(server)]);
  assert.deepEqual(names().sort(), ['a_b', 'dice']);
  await api.allow('a.b', false);
  assert.deepEqual([names(), api.sources], [[], [{ id: 'a.b', isAllowed: false }]]);
  await assert.rejects(api.settled(api.offer('a.b', 'tool', greet)), /has not allowed/);
  await assert.rejects(api.startConversation('a.b', { prompt: 'x' }), /has not allowed/);
  await api.allow('a.b', true);
  assert.deepEqual(names().sort(), ['a_b', 'dice']);
});

test('The sample extension compiles against the published types, which need nothing else', () => {
  const program = ts.createProgram(
    [
      inRoot('test/fixtures/sample-extension/extension.js'),
      inRoot('docs/samples/calculator-extension/extension.js'),
    ],
    {
      allowJs: true,
      checkJs: true,
      strict: true,
      noEmit: true,
      // Else the declarations themselves would not be looked at.
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      lib: ['lib.es2023.d.ts'],
      types: ['node', 'vscode'],
      typeRoots: [inRoot('node_modules/@types')],
    },
  );
  const api = inRoot('src/host/patchbayApi.d.ts');
  const found = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.includes('node_modules') !== true)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  assert.deepEqual(found, []);
  const types = program.getSourceFile(api);
  assert.ok(types, 'the sample uses the published types');
  assert.doesNotMatch(types.text, /^import |import\(/m);
});

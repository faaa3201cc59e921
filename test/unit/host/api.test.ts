import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { createDeferred } from '../../../src/base/deferred';
import { silentLogger } from '../../../src/base/logger';
import { ApiConsent } from '../../../src/host/apiConsent';
import { HookBook } from '../../../src/conversation/hookBook';
import { ApiHub } from '../../../src/host/apiHub';
import { callingExtension } from '../../../src/host/callingExtension';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createToolContext } from '../../../src/mcp/toolContext';
import { inRoot } from '../../harness/paths';

const installed = [
  { id: 'patchbay.patchbay', extensionPath: '/ext/patchbay' },
  { id: 'acme.sample', extensionPath: '/ext/acme sample' },
  { id: 'acme.other', extensionPath: '/ext/acme sample-2' },
  { id: 'win.dows', extensionPath: 'c:\\Users\\Å\\ext\\win' },
  { id: 'in.ner', extensionPath: '/ext/patchbay/test/inner' },
];
const caller = (...frames: string[]) =>
  callingExtension(`Error\n${frames.join('\n')}`, installed, 'patchbay.patchbay');

test('The caller is the first extension in the stack that is not ourselves', () => {
  const own = '    at Object.registerTool (file:///ext/patchbay/dist/extension.js:1:2)';
  assert.equal(caller(own, '    at activate (/ext/acme sample/out/a.js:3:4)'), 'acme.sample');
  assert.equal(caller(own, '    at file:///ext/acme%20sample-2/b.mjs:1:1'), 'acme.other');
  assert.equal(caller(own, '    at x (C:\\users\\Å\\ext\\win\\c.js:1:1)'), 'win.dows');
  assert.equal(caller(own, '    at x (file:///c:/Users/%C3%85/ext/win/c.js:1:1)'), 'win.dows');
  assert.equal(caller(own, '    at y (/ext/patchbay/test/inner/z.js:1:1)'), 'in.ner');
  assert.equal(
    caller(own, '    at node:internal/x:1:1', '    at /srv/code/host.js:1:1'),
    undefined,
  );
  assert.equal(caller(own, '    at broken (file:///ext/%E0%A4%A)'), undefined);
  assert.equal(callingExtension('', installed, 'x'), undefined);
});

function consent(answer?: Promise<boolean | undefined>) {
  const asked: string[] = [];
  let stored: unknown;
  const made = new ApiConsent({
    memory: { get: () => stored, set: (value) => (stored = structuredClone(value)) },
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

function hub(answer?: Promise<boolean | undefined>) {
  const registry = new ServerRegistry();
  const { made } = consent(answer);
  const hooks = new HookBook();
  const api = new ApiHub({
    registry,
    consent: made,
    hooks,
    log: silentLogger,
    startConversation: () => Promise.reject(new Error('not here')),
  });
  const names = () => registry.all().map(({ name }) => name);
  return { registry, api, names, hooks, consent: made };
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
    ['server', { name: 'ide' }, /taken by the CLI/],
    ['server', { name: 'x', tools: [{ ...greet, name: '' }] }, /name/],
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

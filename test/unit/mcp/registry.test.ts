import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { type Definition, createServer } from '../../../src/mcp/mcpServer';
import { Emitter } from '../../../src/base/event';
import { createPeerServer, type ForeignNotice } from '../../../src/mcp/peerServer';
import { type OfferedServer, ServerRegistry } from '../../../src/mcp/registry';
import { listLogger } from '../../harness/fakeCli/cliHarness';
import { createBench, simpleTool, textOf, until } from './routerFixture';

const tool = (name: string) => simpleTool(name, () => name);
const note = (uri: string) => defineResource({ uri, read: () => uri });
const prompt = (name: string) => definePrompt({ name, run: () => name });

test('one bad definition is told with name, reason and source, and hides none of the good ones', async () => {
  const bad: unknown[] = [
    tool('bad name'),
    note('no scheme'),
    note('x://{'),
    prompt(''),
    null,
    7,
    {},
  ];
  const server = createServer({
    name: 'x',
    source: 'x.ts',
    tools: [tool('a'), ...(bad as never[]), tool('b')],
    resources: [note('note://a')],
    prompts: [prompt('p')],
  });
  const { tools, resources, prompts, problems } = server.describe();
  assert.deepEqual(
    [tools.map(({ wireName }) => wireName), resources.length, prompts.length],
    [['mcp__x__a', 'mcp__x__b'], 1, 1],
  );
  assert.equal(problems.length, bad.length);
  for (const { kind, reason, source } of problems) {
    assert.equal(kind, 'refused');
    assert.ok(reason.length > 10);
    assert.equal(source, 'x.ts');
  }
  const { send } = createBench([server]);
  const list = await send('x', { id: 1, method: 'tools/list' });
  assert.equal((list.result?.tools as unknown[]).length, 2);
});

test('of a file that is loaded anew the old problems go with the old definitions', () => {
  const server = createServer({ name: 'x' });
  const first = server.registerAll([tool('a'), tool('b c')] as Definition[], 'one.ts');
  assert.equal(server.describe().problems.length, 1);
  first.dispose();
  assert.deepEqual([server.tools(), server.describe().problems], [[], []]);
  const many = server.registerAll([tool('a')], 'one.ts');
  const clash = server.registerAll([tool('a')], 'two.ts');
  assert.equal(
    server.describe().problems[0]?.reason,
    "Server 'x' already has a tool 'a' (from one.ts); the one (from two.ts) is not offered",
  );
  clash.dispose();
  assert.equal(server.tools().length, 1, 'the one that was there is not taken away');
  many.dispose();
});

test('a whole name over 64 characters is offered with a warning', () => {
  const server = createServer({ name: 'workspace-tools' });
  const short = 64 - 'mcp__workspace-tools__'.length;
  server.registerTool(tool('n'.repeat(short)));
  const long = server.registerTool(tool('n'.repeat(short + 1)));
  const [warning] = server.describe().problems;
  assert.deepEqual([warning?.kind, warning?.name.length], ['warning', short + 1]);
  assert.match(warning?.reason ?? '', /65 characters; some clients take 64/);
  long.dispose();
  assert.deepEqual(server.describe().problems, []);
});

test('two servers with one name after cleaning are refused with both sources named', () => {
  const registry = new ServerRegistry();
  registry.add(createServer({ name: 'my_server', source: 'setting A' }));
  const other = createServer({ name: 'other', source: 'extension B' });
  Object.defineProperty(other, 'name', { value: 'my.server' });
  assert.throws(() => registry.add(other), {
    message:
      "Servers 'my_server' (from setting A) and 'my.server' (from extension B) would both be offered as 'my_server'",
  });
});

test('tools of two servers that are one name to the model are refused, before and after both are offered', async () => {
  const registry = new ServerRegistry();
  const inner = createServer({ name: 'a__b', source: 'inner.ts', tools: [tool('c')] });
  registry.add(inner);
  const outer = createServer({ name: 'a', source: 'outer.ts', tools: [tool('d')] });
  const handle = outer.registerTool(tool('b__c'), 'file.ts');
  outer.registerTool(tool('e'));
  const added = registry.add(outer);
  const reason =
    "Tool 'b__c' of server 'a' (from file.ts) and tool 'c' of server 'a__b' (from inner.ts) would both be offered as 'mcp__a__b__c'";
  assert.deepEqual(outer.describe().problems, [
    { kind: 'refused', name: 'b__c', reason, source: 'file.ts' },
  ]);
  const { send, call } = createBench([], { registry });
  const list = await send('a', { id: 1, method: 'tools/list' });
  assert.deepEqual(
    (list.result?.tools as { name: string }[]).map(({ name }) => name),
    ['d', 'e'],
  );
  assert.equal((await call('a', 'b__c')).error?.code, -32601);
  assert.equal(textOf(await call('a__b', 'c')), 'c', 'the one that was there stays');
  handle.dispose();
  assert.deepEqual(outer.describe().problems, []);
  assert.throws(() => outer.registerTool(tool('b__c'), 'late.ts'), {
    message: reason.replace('file.ts', 'late.ts'),
  });
  outer.registerTool(tool('b__x'));
  assert.throws(() => inner.registerTool(tool('x')), /'mcp__a__b__x'/);
  added.dispose();
  inner.registerTool(tool('x'));
  inner.unregister('tool', 'c');
  outer.registerTool(tool('b__c'));
  registry.add(outer);
  assert.deepEqual(
    [outer.tools().map(({ name }) => name), outer.describe().problems.map(({ name }) => name)],
    [['d', 'e', 'b__c'], ['b__x']],
  );
});

test('of two tools with one whole name the later is refused, also where a server of others has one, or both', async () => {
  const log: string[] = [];
  const noticed = new Emitter<ForeignNotice>();
  const foreign = (name: string, tools: () => readonly string[]) =>
    createPeerServer(
      {
        request: () =>
          Promise.resolve({
            tools: tools().map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
          }),
        notify: () => undefined,
        onDidNotify: noticed.event,
        onDidClose: new Emitter<void>().event,
        dispose: () => undefined,
      },
      {
        ...{ name, source: `setting of ${name}`, log: listLogger(log) },
        initialized: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name, version: '1' },
        },
      },
    );
  const registry = new ServerRegistry();
  const own = createServer({ name: 'a__b', source: 'own.ts', tools: [tool('c')] });
  registry.add(own);
  let offered = ['b__c', 'd', 'b__x.y'];
  const outer = await foreign('a', () => offered);
  registry.add(outer);
  const names = (server: OfferedServer | undefined) => server?.allTools?.().map(({ name }) => name);
  assert.deepEqual(names(outer), ['d', 'b__x.y']);
  assert.deepEqual(
    outer.manifest?.()?.toolsListResult.tools.map(({ name }) => name),
    ['d', 'b__x.y'],
  );
  assert.match(
    log.join('\n'),
    /Tool 'b__c' of server 'a' \(from setting of a\) and tool 'c' of server 'a__b' \(from own\.ts\) would both be offered as 'mcp__a__b__c'/,
  );
  // One of ours that comes later, and is the same only once it is cleaned.
  assert.throws(() => own.registerTool(tool('x_y'), 'late.ts'), {
    message:
      "Tool 'x_y' of server 'a__b' (from late.ts) and tool 'b__x.y' of server 'a' (from setting of a) would both be offered as 'mcp__a__b__x_y'",
  });
  // A list that changes, and a server of others beside it.
  const inner = await foreign('a__z', () => ['one', 'two']);
  const listed = registry.add(inner);
  offered = ['d', 'b__z', 'z__one'];
  noticed.fire({ method: 'notifications/tools/list_changed', params: undefined });
  await until(() => names(outer)?.includes('b__z') === true);
  assert.deepEqual(
    [names(outer), names(inner)],
    [
      ['d', 'b__z'],
      ['one', 'two'],
    ],
  );
  own.registerTool(tool('x_y'));
  listed.dispose();
  registry.remove('a');
  registry.add(outer);
  assert.deepEqual(names(outer), ['d', 'b__z', 'z__one'], 'the name is free');
  registry.add(inner);
  assert.deepEqual(names(inner), ['two']);
});

test('a handle takes away what it registered and nothing else, whatever was registered since', () => {
  const server = createServer({ name: 'x' });
  const [t, r, p] = [tool('n'.repeat(80)), note('note://a'), prompt('p')];
  const kinds = [
    ['tool', t.name, () => server.registerTool(t), () => server.tools()],
    ['resource', r.uri, () => server.registerResource(r), () => server.resources()],
    ['prompt', p.name, () => server.registerPrompt(p), () => server.prompts()],
  ] as const;
  for (const [kind, name, register, offered] of kinds) {
    const first = register();
    assert.equal(server.unregister(kind, name), true);
    assert.deepEqual(server.describe().problems, [], 'nothing is said of what is gone');
    const second = register();
    first.dispose();
    assert.equal(offered().length, 1, kind);
    assert.throws(register, /already has/);
    second.dispose();
    assert.deepEqual([offered(), server.describe().problems], [[], []]);
  }
  const method = () => server.handle('x/y', { type: 'object' }, () => 1);
  const first = method();
  first.dispose();
  method();
  first.dispose();
  assert.ok(server.method('x/y'));
});

test('definitions come and go by name and by handle, each list tells its own change', () => {
  const server = createServer({ name: 'x' });
  const told: string[] = [];
  server.onDidChange((kind) => told.push(kind));
  const handle = server.registerTool(tool('a'));
  server.registerResource(note('note://a'));
  server.registerPrompt(prompt('p'));
  assert.equal(server.unregister('tool', 'a'), true);
  assert.equal(server.unregister('tool', 'a'), false);
  server.registerTool(tool('a'));
  handle.dispose();
  assert.ok(server.getTool('a'), 'the old handle does not remove the new tool');
  assert.equal(server.unregister('resource', 'note://a'), true);
  assert.equal(server.unregister('prompt', 'p'), true);
  assert.throws(() => server.registerTool(tool('a')), /already has a tool 'a'/);
  assert.deepEqual(told, [
    'tools',
    'resources',
    'prompts',
    'tools',
    'tools',
    'resources',
    'prompts',
  ]);
});

test('a list of 500 tools is made once and kept until one comes or goes', async () => {
  const server = createServer({ name: 'x' });
  for (let i = 0; i < 500; i += 1) server.registerTool(tool(`t${i}`));
  const first = server.listTools();
  assert.equal(server.listTools(), first);
  const { send } = createBench([server]);
  const list = await send('x', { id: 1, method: 'tools/list' });
  assert.equal((list.result?.tools as unknown[]).length, 500);
  assert.equal(server.listTools(), first);
  server.unregister('tool', 't0');
  assert.equal(server.listTools().length, 499);
  assert.equal(server.listTools()[0], first[1], 'the others are not made anew');
});

test('changes of one moment are told to each conversation once, and to one that has ended not at all', async () => {
  const server = createServer({ name: 'x' });
  const sent: string[] = [];
  const notify = (who: string) => (name: string, message: object) =>
    sent.push(`${who} ${name} ${(message as { method: string }).method}`);
  const one = createBench([server], { notify: notify('one') });
  const registry = one.registry;
  const two = createBench([], { registry, notify: notify('two') });
  const gone = createBench([], { registry, notify: notify('gone') });
  for (let i = 0; i < 50; i += 1) server.registerTool(tool(`t${i}`));
  server.registerPrompt(prompt('p'));
  gone.router.dispose();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(sent.sort(), [
    'one x notifications/prompts/list_changed',
    'one x notifications/tools/list_changed',
    'two x notifications/prompts/list_changed',
    'two x notifications/tools/list_changed',
  ]);
  server.unregister('tool', 't0');
  two.router.dispose();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(sent.length, 5);
});

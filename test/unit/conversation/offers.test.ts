import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { silentLogger } from '../../../src/base/logger';
import type { SuggestQuery } from '../../../src/chat/suggestProtocol';
import type { SuggestPart } from '../../../src/conversation/conversationPorts';
import { type ExpandPorts, expandMessage } from '../../../src/conversation/expandMessage';
import { promptOfCommand } from '../../../src/conversation/commandNames';
import { pieceOfContent, pieceOfContents } from '../../../src/conversation/promptBlocks';
import { ServerOffers } from '../../../src/conversation/serverOffers';
import {
  argumentSources,
  commandSources,
  panelSource,
} from '../../../src/conversation/suggestCommands';
import { resourceSources } from '../../../src/conversation/suggestResources';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { ForeignBridge } from '../../../src/mcp/foreignBridge';
import { createServer } from '../../../src/mcp/mcpServer';
import { createPeerServer } from '../../../src/mcp/peerServer';
import { createBench } from '../mcp/routerFixture';

const never = new AbortController().signal;

function made() {
  let listed = 0;
  let now = 0;
  const server = createServer({
    name: 'notes',
    pageSize: 1,
    prompts: [
      definePrompt({
        name: 'plan',
        description: 'Plans\n a day.',
        arguments: {
          id: z.string().describe('Which note'),
          size: z.enum(['big', 'small']).optional(),
        },
        complete: { id: (value) => ['milk', 'two words'].filter((id) => id.startsWith(value)) },
        run: ({ id }) => `Plan ${id}`,
      }),
      definePrompt({ name: 'greet', run: () => 'Hi' }),
    ],
    resources: [
      defineResource({ uri: 'note://index', name: 'Index', read: () => 'all' }),
      defineResource({
        uri: 'note://{list}/items/{id}',
        name: 'Item',
        list: () => {
          listed += 1;
          return [{ uri: 'note://shop/items/1', name: 'First' }];
        },
        complete: {
          list: (value) => ['shop', 'my home'].filter((one) => one.startsWith(value)),
          id: (value, { list }) =>
            (list === 'my home' ? ['7'] : ['1', '2']).filter((one) => one.startsWith(value)),
        },
        read: () => 'x',
      }),
    ],
  });
  const { registry, router } = createBench([server]);
  const offers = new ServerOffers({ router, registry, now: () => now });
  const ports = {
    offers,
    cliCommands: () => Promise.resolve([]),
    isCliCommand: (name: string) => name === 'notes:greet',
  };
  const wait = (ms: number): void => void (now += ms);
  return { server, registry, offers, ports, wait, listed: () => listed };
}

const only = async (sources: readonly { rows(signal: AbortSignal): Promise<SuggestPart> }[]) => {
  const parts = await Promise.all(sources.map((source) => source.rows(never)));
  return parts.flatMap((part) => part.rows);
};
const inserts = (rows: SuggestPart['rows']) => rows.map(({ insert }) => insert);

test('prompts stand as commands with their server, and in the long form where the CLI has the name', async () => {
  const { ports } = made();
  const rows = await only(commandSources('', ports));
  assert.deepEqual(inserts(rows), ['/notes:plan id=', '/mcp__notes__greet ']);
  assert.deepEqual(
    [rows[0]?.detail, rows[0]?.description, rows[0]?.origin],
    ['id, size (optional)', 'Plans a day.', 'notes'],
  );
  assert.deepEqual(inserts(await only(commandSources('gre', ports))), ['/mcp__notes__greet ']);
});

test('the panel’s own commands stand beside them, named apart where the CLI has the name', async () => {
  const { ports } = made();
  const isCliCommand = (name: string) => name === 'export';
  const own = (text: string) => only([panelSource(text, { ...ports, isCliCommand })]);
  const [row] = await own('new');
  assert.deepEqual(
    [row?.label, row?.insert, row?.origin, row?.runs],
    ['/new', '/new', 'Patchbay', true],
  );
  assert.deepEqual(inserts(await own('exp')), ['/patchbay:export']);
  // A question takes words: it is written, not run.
  const [side] = await own('btw');
  assert.deepEqual([side?.insert, side?.runs], ['/btw ', undefined]);
  assert.deepEqual(await own('zzz'), []);
});

test('a command means the prompt of a server that is there, else it is the CLI’s', () => {
  const has = (name: string) => ['notes', 'a__b'].includes(name);
  const means = (command: string) =>
    promptOfCommand(command, has, (name) => name === 'notes:greet');
  assert.deepEqual(means('notes:plan'), { server: 'notes', name: 'plan' });
  assert.deepEqual(means('mcp__a__b__c'), { server: 'a__b', name: 'c' });
  assert.deepEqual(means('mcp__notes__greet'), { server: 'notes', name: 'greet' });
  for (const none of ['notes:greet', 'team:plan', 'compact', 'mcp__x__y', 'notes:', ':x']) {
    assert.equal(means(none), undefined, none);
  }
});

test('arguments are offered by name, then by value, and what is optional is only offered', async () => {
  const { ports } = made();
  const ask = async (given: string, text: string): Promise<SuggestPart> => {
    const query: SuggestQuery = { kind: 'argument', command: 'notes:plan', given, text };
    const [source] = argumentSources(query, ports);
    assert.ok(source);
    return source.rows(never);
  };
  assert.deepEqual(inserts((await ask('', '')).rows), ['id=', 'size=']);
  assert.deepEqual(inserts((await ask('', 'id=')).rows), ['id=milk ', 'id="two words" ']);
  assert.deepEqual(inserts((await ask('', 'id="two w')).rows), ['id="two words" ']);
  assert.equal((await ask('', 'id=')).hint, 'id: Which note');
  assert.deepEqual(inserts((await ask('id=milk ', 'size=b')).rows), ['size=big ']);
  const optional = await ask('id=milk ', '');
  assert.deepEqual(
    [inserts(optional.rows), optional.isOptional, optional.hint],
    [['size='], true, 'size (optional)'],
  );
  assert.deepEqual((await ask('id=milk ', 'nothing=')).rows, []);
});

test('resources are found by name, address and server, all pages of them', async () => {
  const { offers } = made();
  const find = async (text: string) => inserts(await only(resourceSources(text, offers)));
  assert.deepEqual(await find('first'), ['@notes:note://shop/items/1 ']);
  assert.deepEqual((await find('notes')).slice(0, 2), [
    '@notes:note://index ',
    '@notes:note://shop/items/1 ',
  ]);
  assert.deepEqual(await find('zzz'), []);
});

test('a template is filled one variable after the other', async () => {
  const { offers } = made();
  const find = async (text: string) => inserts(await only(resourceSources(text, offers)));
  assert.ok((await find('item')).includes('@notes:note://'));
  assert.deepEqual(await find('notes:note://my'), ['@notes:note://my%20home/items/']);
  assert.deepEqual(await find('notes:note://my%20home/items/'), [
    '@notes:note://my%20home/items/7 ',
  ]);
});

test('a variable of a path, of a part of one and of a fragment is filled in as it stands in the address', async () => {
  const complete = (...values: readonly string[]) => {
    return (typed: string) => values.filter((value) => value.startsWith(typed));
  };
  const server = createServer({
    name: 'repo',
    resources: [
      defineResource({
        uri: 'file:///{+path}',
        read: () => 'x',
        complete: { path: complete('src/a b.ts', 'docs') },
      }),
      defineResource({
        uri: 'of://{owner}/contents{/dir*}',
        read: () => 'x',
        complete: { owner: complete('me'), dir: complete('src', 'a/b') },
      }),
      defineResource({ uri: 'any://all{?q}', read: () => 'x', complete: { q: complete('x') } }),
    ],
  });
  const offers = new ServerOffers({ ...createBench([server]), now: () => 0 });
  const find = async (text: string) => inserts(await only(resourceSources(text, offers)));
  assert.deepEqual(await find('repo:file:///'), [
    '@repo:file:///src/a%20b.ts ',
    '@repo:file:///docs ',
  ]);
  assert.deepEqual(await find('repo:file:///src/'), ['@repo:file:///src/a%20b.ts ']);
  assert.deepEqual(await find('repo:of://m'), ['@repo:of://me/contents/']);
  assert.deepEqual(await find('repo:of://me/contents/'), [
    '@repo:of://me/contents/src ',
    '@repo:of://me/contents/a%2Fb ',
  ]);
  assert.deepEqual(await find('repo:any://all?q='), []);
});

test('a list is asked for once in a while, and anew for another server', async () => {
  const { offers, listed, wait, registry } = made();
  await only(resourceSources('a', offers));
  const first = listed();
  await only(resourceSources('ab', offers));
  assert.equal(listed(), first);
  wait(6_000);
  await only(resourceSources('ab', offers));
  assert.ok(listed() > first);
  registry.remove('notes');
  assert.deepEqual(resourceSources('', offers), []);
  assert.equal(offers.has('notes'), false);
});

test('what has changed a moment ago is read as it is now, of our servers and of others', async () => {
  const { offers, server, registry, ports } = made();
  const typed = async (text: string): Promise<string> => {
    // Nothing is mentioned here.
    const { content } = await expandMessage(text, ports as unknown as ExpandPorts, never);
    return JSON.stringify(content);
  };
  const prompt = (argument: string) =>
    definePrompt({
      name: 'fresh',
      arguments: { [argument]: z.string() },
      run: (given) => `Has ${JSON.stringify(given)}`.replaceAll('"', "'"),
    });
  await offers.prompts('notes', never);
  const first = server.registerPrompt(prompt('id'));
  assert.match(await typed('/notes:fresh milk'), /Has {'id':'milk'}/);
  first.dispose();
  server.registerPrompt(prompt('note'));
  assert.match(await typed('/notes:fresh note=milk'), /Has {'note':'milk'}/);

  await offers.resources('notes', never);
  server.registerResource(defineResource({ uri: 'note://late', name: 'Late', read: () => 'x' }));
  server.registerResource(defineResource({ uri: 'late://{id}', name: 'Any', read: () => 'x' }));
  const names = (await offers.resources('notes', never)).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => ['Late', 'Any'].includes(name)),
    ['Late', 'Any'],
  );

  const theirs = new McpServer({ name: 'x', version: '1' });
  theirs.registerPrompt('greet', {}, () => ({ messages: [] }));
  const peer = await createPeerServer(await ForeignBridge.connect(theirs), {
    ...{ name: 'theirs', log: silentLogger },
  });
  registry.add(peer);
  await offers.prompts('theirs', never);
  const told = new Promise((resolve) => registry.onDidChange(resolve));
  theirs.registerPrompt('part', {}, () => ({ messages: [] }));
  await told;
  assert.deepEqual(
    (await offers.prompts('theirs', never)).map(({ name }) => name),
    ['greet', 'part'],
  );
  peer.dispose();
});

test('a value with half a character is left out, and takes nothing else away', async () => {
  const complete = { id: () => ['one', 'half\ud83d', 'two'] };
  const server = createServer({
    name: 'notes',
    resources: [defineResource({ uri: 'note://{id}', read: () => 'x', complete })],
  });
  const offers = new ServerOffers({ ...createBench([server]), now: () => 0 });
  assert.deepEqual(inserts(await only(resourceSources('notes:note://', offers))), [
    '@notes:note://one ',
    '@notes:note://two ',
  ]);
});

test('a server of others is asked the same, where it says that it has some', async () => {
  const theirs = new McpServer({ name: 'x', version: '1' });
  theirs.registerPrompt('greet', { argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hi ${name}` } }],
  }));
  const bridge = await ForeignBridge.connect(theirs);
  const peer = await createPeerServer(bridge, { name: 'theirs', log: silentLogger });
  const { registry, router } = createBench([]);
  registry.add(peer);
  const offers = new ServerOffers({ router, registry, now: () => 0 });
  assert.deepEqual([offers.servers('prompts'), offers.servers('resources')], [['theirs'], []]);
  const [prompt] = await offers.prompts('theirs', never);
  assert.deepEqual(prompt?.arguments, [{ name: 'name', required: true }]);
  const messages = await offers.getPrompt('theirs', 'greet', { name: 'Ann' }, never);
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Hi Ann' } }]);
  await assert.rejects(offers.getPrompt('theirs', 'gone', {}, never), /gone/);
  peer.dispose();
});

test('a prompt of whatever name can be chosen, typed and run', async () => {
  const theirs = new McpServer({ name: 'x', version: '1' });
  for (const name of ['git/commit', 'Code  Review', 'plain']) {
    theirs.registerPrompt(name, { argsSchema: { id: z.string() } }, ({ id }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${name} of ${id}` } }],
    }));
  }
  const peer = await createPeerServer(await ForeignBridge.connect(theirs), {
    ...{ name: 'theirs', log: silentLogger },
  });
  const { registry, router } = createBench([]);
  registry.add(peer);
  const offers = new ServerOffers({ router, registry, now: () => 0 });
  const ports = { offers, cliCommands: () => Promise.resolve([]), isCliCommand: () => false };
  const rows = await only(commandSources('', ports));
  assert.deepEqual(inserts(rows).sort(), [
    '/theirs:Code_Review id=',
    '/theirs:git_commit id=',
    '/theirs:plain id=',
  ]);
  for (const [typed, name] of [
    ['/theirs:Code_Review id=7', 'Code  Review'],
    ['/mcp__theirs__git_commit id=7', 'git/commit'],
    ['/theirs:plain id=7', 'plain'],
  ] as const) {
    // Nothing is mentioned here.
    const { content } = await expandMessage(typed, ports as unknown as ExpandPorts, never);
    assert.match(JSON.stringify(content), new RegExp(`"${name} of 7"`));
  }
  const query = { kind: 'argument', command: 'theirs:git_commit', given: '', text: '' } as const;
  assert.deepEqual(inserts(await only(argumentSources(query, ports))), ['id=']);
  peer.dispose();
});

test('prompts and arguments whose names would be typed in the same way are told apart', async () => {
  const theirs = new McpServer({ name: 'x', version: '1' });
  for (const name of ['my plan', 'my_plan', 'my/plan', 'alone here']) {
    theirs.registerPrompt(
      name,
      { argsSchema: { 'for whom': z.string(), 'a="b"': z.string().optional() } },
      (args) => ({
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: [name, ...Object.values(args)].join('|') },
          },
        ],
      }),
    );
  }
  const peer = await createPeerServer(await ForeignBridge.connect(theirs), {
    ...{ name: 'theirs', log: silentLogger },
  });
  const { registry, router } = createBench([]);
  registry.add(peer);
  const offers = new ServerOffers({ router, registry, now: () => 0 });
  const ports = { offers, cliCommands: () => Promise.resolve([]), isCliCommand: () => false };
  const rows = await only(commandSources('', ports));
  assert.deepEqual(inserts(rows).sort(), [
    '/theirs:alone_here for_whom=',
    '/theirs:my%20plan for_whom=',
    '/theirs:my%2Fplan for_whom=',
    '/theirs:my_plan for_whom=',
  ]);
  const run = async (typed: string): Promise<string> => {
    // Nothing is mentioned here.
    const { content } = await expandMessage(typed, ports as unknown as ExpandPorts, never);
    return JSON.stringify(content);
  };
  for (const row of rows) {
    const name = row.id.replace('prompt theirs ', '');
    assert.match(await run(`${row.insert}me a_b_=x`), new RegExp(`"${name}\\|me\\|x"`));
  }
  await assert.rejects(run('/theirs:my_plan'), /it needs for_whom= behind the command/);
  const query = { kind: 'argument', command: 'theirs:my%20plan', given: '' } as const;
  const offered = async (text: string) =>
    inserts(await only(argumentSources({ ...query, text }, ports)));
  assert.deepEqual(await offered(''), ['for_whom=', 'a_b_=']);
  peer.dispose();
});

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';

test('what a model cannot read is refused by name, a picture is known by its bytes', () => {
  const image = pieceOfContent({ type: 'image', data: PNG, mimeType: 'image/gif' }, 'It');
  assert.ok(image.block.type === 'image' && image.block.source.media_type === 'image/png');
  const blob = pieceOfContents({ uri: 'a', blob: PNG }, 's', 'It');
  assert.equal(blob.block.type, 'image');
  const text = pieceOfContents({ uri: 'a"><b', text: 'x' }, 's', 'It');
  assert.deepEqual(text.block, {
    type: 'text',
    text: '<attached server="s" uri="a b">\nx\n</attached>',
  });
  for (const [content, reason] of [
    [{ type: 'audio', data: '', mimeType: 'audio/wav' }, /It .*audio/],
    [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, /It .*image\/png/],
    [{ type: 'image', data: '', mimeType: '' }, /unknown kind/],
    [
      { type: 'resource', resource: { uri: 'a', blob: 'AAAA', mimeType: 'application/zip' } },
      /zip/,
    ],
    [null, /unknown kind/],
    [{ type: 'image', data: `${PNG.slice(0, 20)}${'A'.repeat(8_000_000)}` }, /at most 5/],
  ] as const) {
    assert.throws(() => pieceOfContent(content, 'It'), reason);
  }
});

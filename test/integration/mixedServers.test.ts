import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { ToolBlock } from '../../src/chat/viewStateProtocol';
import type { TelemetryEvent } from '../../src/conversation/conversationTelemetry';
import type { ToolCall } from '../../src/conversation/toolCallWatch';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { linesOf, meet } from '../harness/mcpServers/served.mjs';
import { startHttpProgram } from '../harness/mcpServers/startHttpProgram';
import { message, say, type Script, toolUse } from '../harness/model/script';
import { toolsOf } from './conversationBench';
import { endAll, ends, stdioServer, turn, world, type World } from './serverWorld';

/**
 * One conversation with the real CLI, an in-process server, one over stdio and one over HTTP, each of
 * the latter a process of its own.
 */
const base = await mkdtemp(path.join(tmpdir(), 'patchbay-mixed-'));
after(async () => {
  await endAll();
  await rm(base, { recursive: true, force: true });
});

const KINDS = ['inside', 'local', 'web'] as const;
const each = (tool: string, input: object = {}) =>
  message(KINDS.map((server) => toolUse(`mcp__${server}__${tool}`, { ...input })));

const plays: Readonly<Record<string, Script>> = {
  meet: ({ step }) =>
    step === 0
      ? message([
          ...each('meet', { folder: base, count: 3 }).steps,
          toolUse('Read', { file_path: 'src/a.ts' }),
        ])
      : say('done'),
  grow: ({ step }) =>
    [
      message([toolUse('mcp__inside__grow'), toolUse('mcp__local__ping')]),
      message([toolUse('mcp__inside__grown'), toolUse('mcp__web__ping')]),
    ][step] ?? say('done'),
  'swap one': ({ step }) => (step === 0 ? message([toolUse('mcp__swap__one')]) : say('done')),
  'swap two': ({ step }) => (step === 0 ? message([toolUse('mcp__swap__two')]) : say('done')),
  late: ({ step }) => (step === 0 ? message([toolUse('mcp__late__ping')]) : say('done')),
  large: ({ step }) => (step === 0 ? each('large', { characters: 100_000 }) : say('done')),
  huge: ({ step }) => (step === 0 ? each('large', { characters: 5_000_000 }) : say('done')),
  ping: ({ step }) => (step === 0 ? each('ping') : say('done')),
  'ping again': ({ step }) => (step === 0 ? each('ping') : say('done')),
};
const script: Script = (turnNow) => {
  const play = plays[turnNow.prompt];
  return typeof play === 'function' ? play(turnNow) : say('done');
};

const events: TelemetryEvent[] = [];
const calls: ToolCall[] = [];
/** Called with each event of a server. */
const listeners = new Set<(event: TelemetryEvent) => void>();

/** Resolves once the CLI has been given the server's tools anew. */
function listedAnew(): Promise<void> {
  return new Promise((resolve) => {
    const listener = (event: TelemetryEvent): void => {
      if (event.work !== 'list' || event.server !== 'inside' || event.phase !== 'stop') return;
      listeners.delete(listener);
      // After the answer is on its way.
      setImmediate(resolve);
    };
    listeners.add(listener);
  });
}

function inside(): McpServerDefinition {
  const common = {
    description: 'Of the inside.',
    alwaysLoad: true,
    annotations: { readOnlyHint: true },
  };
  const server = createServer({
    name: 'inside',
    tools: [
      defineTool({ ...common, name: 'ping', input: {}, run: () => 'pong inside' }),
      defineTool({
        ...common,
        name: 'meet',
        input: { folder: z.string(), count: z.int() },
        run: ({ folder, count }) => meet(folder, 'inside', count),
      }),
      defineTool({
        ...common,
        name: 'large',
        input: { characters: z.int() },
        run: ({ characters }) => linesOf(characters),
      }),
      defineTool({
        ...common,
        name: 'grow',
        input: {},
        run: async () => {
          const listed = listedAnew();
          server.registerTool(
            defineTool({ ...common, name: 'grown', input: {}, run: () => 'I am new' }),
          );
          await listed;
          return 'grown';
        },
      }),
    ],
  });
  return server;
}

const all = new ServerRegistry();
let mixed: World;
before(async () => {
  const web = await startHttpProgram('web');
  ends.push(() => web.close());
  all.add(inside());
  mixed = await world(
    { local: stdioServer('local'), web: { type: 'http', url: web.url } },
    script,
    {
      all,
      settings: {
        allowedTools: KINDS.map((name) => `mcp__${name}`).concat('mcp__late', 'mcp__swap'),
      },
      onToolCall: (call) => calls.push(call),
      telemetry: {
        isWanted: () => true,
        tell: (event) => {
          events.push(event);
          for (const listener of listeners) listener(event);
        },
      },
    },
  );
});

let seen = 0;
/** Plays a prompt and gives the tool calls of its turn. */
async function play(prompt: string): Promise<readonly ToolBlock[]> {
  await turn(mixed.made, prompt);
  const blocks = toolsOf(mixed.made.view);
  const fresh = blocks.slice(seen);
  seen = blocks.length;
  return fresh;
}
const textOf = (blocks: readonly ToolBlock[], name: string): string | undefined =>
  blocks.find((block) => block.name === name)?.result?.text;

test('calls of in-process, stdio and HTTP servers overlap in time, and each is told to whoever listens', async () => {
  const blocks = await play('meet');
  for (const kind of KINDS) {
    assert.equal(textOf(blocks, `mcp__${kind}__meet`), 'met inside local web');
  }
  const told = calls.map(({ tool, source, server, outcome }) => [tool, source, server, outcome]);
  assert.deepEqual(told.sort(), [
    ['Read', 'cli', undefined, 'success'],
    ['mcp__inside__meet', 'inProcess', 'inside', 'success'],
    ['mcp__local__meet', 'external', 'local', 'success'],
    ['mcp__web__meet', 'external', 'web', 'success'],
  ]);
  const ended = events.filter((event) => event.work === 'call');
  assert.deepEqual(
    ended.map((event) => [event.phase, event.work === 'call' ? event.tool : '']),
    [
      ['start', 'meet'],
      ['stop', 'meet'],
    ],
  );
  assert.equal(events[0]?.work, 'conversation');
});

test('a tool that comes in mid-turn is used in the same turn, with external servers around it', async () => {
  const blocks = await play('grow');
  assert.deepEqual(
    blocks.map(({ name, state, result }) => [name, state, result?.text]),
    [
      ['mcp__inside__grow', 'done', 'grown'],
      ['mcp__local__ping', 'done', 'pong local'],
      ['mcp__inside__grown', 'done', 'I am new'],
      ['mcp__web__ping', 'done', 'pong web'],
    ],
  );
});

test('results of 100 KB and 5 MB come whole from each kind of server', async () => {
  for (const [prompt, characters] of [
    ['large', 100_000],
    ['huge', 5_000_000],
  ] as const) {
    const blocks = await play(prompt);
    for (const kind of KINDS) {
      const text = textOf(blocks, `mcp__${kind}__large`) ?? '';
      const file = /saved to:? (\/\S+\.(?:txt|json))/.exec(text)?.[1];
      assert.ok(file, `${kind}: ${text.slice(0, 500)}`);
      const kept = await readFile(file, 'utf8');
      assert.ok(kept.length >= characters, `${kind} ${kept.length}`);
    }
  }
});

test('a server that is added in mid-conversation serves its next turn', async () => {
  mixed.settings.late = stdioServer('late');
  mixed.book.refresh();
  await mixed.made.conversation.syncServers();
  assert.equal(textOf(await play('late'), 'mcp__late__ping'), 'pong late');
});

test(
  'the next version of a server, which takes its place in one moment, is used with its own tools',
  { timeout: 60_000 },
  async () => {
    const version = (name: string, number: string): McpServerDefinition => {
      const common = { description: 'd', input: {}, alwaysLoad: true };
      const tool = defineTool({ ...common, name, run: () => `ran ${name}` });
      return createServer({ name: 'swap', version: number, tools: [tool] });
    };
    /** The CLI has taken up what it was told. */
    const known = async (tool: string): Promise<void> => {
      for (let tools: readonly string[] | undefined; tools?.includes(tool) !== true;) {
        const servers = await mixed.made.conversation.serverStatus();
        tools = servers.find(({ name }) => name === 'swap')?.tools;
      }
    };
    const one = all.add(version('one', '1.0.0'));
    await mixed.made.conversation.syncServers();
    await known('one');
    assert.equal(textOf(await play('swap one'), 'mcp__swap__one'), 'ran one');
    one.dispose();
    const two = all.add(version('two', '2.0.0'));
    await mixed.made.conversation.syncServers();
    await known('two');
    assert.equal(textOf(await play('swap two'), 'mcp__swap__two'), 'ran two');
    two.dispose();
    await mixed.made.conversation.syncServers();
  },
);

test('all of them are switched off and on again in the running conversation', async () => {
  const { made, switches, book } = mixed;
  for (const isOn of [false, true]) {
    for (const name of [...KINDS, 'late']) switches.switchServer(name, isOn);
    book.refresh();
    await made.conversation.syncServers();
    if (isOn) break;
    // The CLI goes on naming them in its requests, for the sake of the model's cache.
    const refused = await play('ping');
    for (const kind of KINDS) {
      assert.match(textOf(refused, `mcp__${kind}__ping`) ?? '', /No such tool available/);
    }
    assert.deepEqual(await made.conversation.serverStatus(), []);
  }
  const blocks = await play('ping again');
  for (const kind of KINDS) assert.equal(textOf(blocks, `mcp__${kind}__ping`), `pong ${kind}`);
});

test('the end of the conversation is told once, with the bytes of all that went through', async () => {
  await mixed.made.conversation.dispose();
  const ended = events.filter((event) => event.work === 'conversation' && event.phase !== 'start');
  assert.equal(ended.length, 1);
  const [end] = ended;
  assert.ok(end?.phase === 'stop' && end.bytesOut > 5_000_000);
  assert.ok(!JSON.stringify(events).includes('pong'), 'no contents');
});

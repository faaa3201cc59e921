import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { spawnCli } from '../../src/cli/spawnCli';
import { type HeadlessMessage, startHeadless } from '../../src/conversation/headlessConversation';
import { HookBook } from '../../src/conversation/hookBook';
import type { ToolCall } from '../../src/conversation/toolCallWatch';
import { ForeignBridge } from '../../src/mcp/foreignBridge';
import { createPeerServer } from '../../src/mcp/peerServer';
import { silentLogger } from '../../src/base/logger';
import type { OutboundMessage } from '../../src/protocol/outboundRequests';
import { startModel } from '../harness/model/modelServer';
import { createRealCliSandbox } from '../harness/model/realCli';
import { message, pause, say, type Script, text, toolUse } from '../harness/model/script';
import { type BenchOptions, calculatorRegistry, MemoryBuffers, portsOf } from './conversationBench';

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

interface Given extends BenchOptions {
  readonly prompt?: string;
  readonly maxTurns?: number;
  readonly systemPrompt?: string;
  readonly signal?: AbortSignal;
  readonly isAllowed?: boolean;
}

async function start(script: Script, given: Given = {}) {
  const model = await startModel({ script });
  ends.push(() => model.close());
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  ends.push(() => sandbox.cleanup());
  const calls: ToolCall[] = [];
  const asked: string[] = [];
  const options = { ...given, cliPath: sandbox.command, folder: sandbox.workspace };
  const ports = portsOf({ ...options, environment: sandbox.env }, new MemoryBuffers());
  const { prompt = 'go', maxTurns, systemPrompt, signal, isAllowed = false } = given;
  const ended: string[] = [];
  const over: string[] = [];
  const conversation = startHeadless(
    { ...ports, onToolCall: (call) => calls.push(call), onEnded: (id) => over.push(id) },
    {
      ...{ prompt, maxTurns, systemPrompt, signal },
      permit: (card) => {
        asked.push(`${card.toolName} ${card.body}`);
        return Promise.resolve(isAllowed);
      },
      onEnded: () => ended.push('ended'),
    },
  );
  ends.push(() => Promise.resolve(conversation.dispose()));
  return { conversation, model, sandbox, calls, asked, ended, over };
}

async function all(conversation: AsyncIterable<HeadlessMessage>): Promise<HeadlessMessage[]> {
  const messages: HeadlessMessage[] = [];
  for await (const one of conversation) messages.push(one);
  return messages;
}

test('A conversation without a panel tells each step as a typed message, and of its calls without their contents', async () => {
  const server = new McpServer({ name: 'x', version: '1' });
  server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }));
  const registry = calculatorRegistry();
  const bridge = await ForeignBridge.connect(server);
  registry.add(await createPeerServer(bridge, { name: 'theirs', log: silentLogger }));
  const tools = ['mcp__theirs__ping', 'mcp__probe__echo', 'mcp__probe__store', 'Read'] as const;
  const inputs: Record<string, object> = {
    Read: { file_path: 'src/none.ts' },
    mcp__theirs__ping: {},
  };
  const { conversation, model, calls, asked, ended, over } = await start(
    ({ step }) =>
      step === 0
        ? message([
            text('Well.'),
            ...tools.map((name) => toolUse(name, { ...(inputs[name] ?? { value: 'v' }) })),
          ])
        : say('done'),
    { registry, settings: { allowedTools: ['mcp__theirs'] }, systemPrompt: 'Speak like a gull.' },
  );
  const messages = await all(conversation);
  const [started] = messages;
  assert.ok(started?.type === 'started' && started.tools.includes('mcp__theirs__ping'));
  const rest = messages.slice(1).map((one) => {
    switch (one.type) {
      case 'toolCall':
        return `call ${one.tool}`;
      case 'toolResult':
        return `result ${one.isError ? 'error' : 'success'}`;
      case 'text':
        return `text ${one.text}`;
      case 'result':
        return `end ${one.text} ${one.reason} ${one.turns > 0}`;
      case 'started':
        return 'started';
    }
  });
  assert.deepEqual(
    rest.filter((line) => line.startsWith('call')),
    tools.map((name) => `call ${name}`),
  );
  assert.deepEqual(
    [rest[0], rest.at(-2), rest.at(-1)],
    ['text Well.', 'text done', 'end done success true'],
  );
  assert.deepEqual(asked.length, 1);
  assert.match(asked[0] ?? '', /^mcp__probe__store/);
  const told = calls.map(({ tool, source, server: from, outcome }) => [
    tool,
    source,
    from,
    outcome,
  ]);
  assert.deepEqual(told.sort(), [
    ['Read', 'cli', undefined, 'error'],
    ['mcp__probe__echo', 'inProcess', 'probe', 'success'],
    ['mcp__probe__store', 'inProcess', 'probe', 'error'],
    ['mcp__theirs__ping', 'inProcess', 'theirs', 'success'],
  ]);
  assert.match(JSON.stringify(model.requests.find(({ isSide }) => !isSide)?.body), /like a gull/);
  assert.deepEqual([ended, over], [['ended'], [conversation.id]]);
});

test('What helpers of the agent say is not told as its own words, and their calls are', async () => {
  let over = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (over = resolve));
  const helper = { description: 'a helper', prompt: 'Help', subagent_type: 'general-purpose' };
  const started = await start(
    async ({ prompt, step }) => {
      if (prompt === 'Help') {
        if (step === 0)
          return message([text('I help.'), toolUse('Read', { file_path: 'src/a.ts' })]);
        return say('I have helped.');
      }
      if (step === 0) return message([toolUse('Agent', { ...helper, run_in_background: true })]);
      // The turn after it nobody has asked for: it tells what came of the helper.
      if (step > 1) return say('It has helped.');
      await isOver;
      return say('All is done.');
    },
    { isAllowed: true },
  );
  const told: string[] = [];
  for await (const one of started.conversation) {
    if (one.type === 'text' || one.type === 'result') told.push(one.text);
    if (one.type === 'toolCall') told.push(one.tool);
    // Of the helper; its last words come right after it.
    if (one.type === 'toolResult' && told.at(-1) === 'Read') setImmediate(over);
  }
  const own = ['All is done.', 'It has helped.'];
  assert.deepEqual(told, ['Agent', 'Read', ...own, 'It has helped.']);
});

test('The result waits for agents in the background, and for no command there', async () => {
  const helper = { subagent_type: 'general-purpose' };
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let second = 0;
  const { conversation, model } = await start(
    async ({ prompt, step }) => {
      if (prompt === 'Help first') {
        await held;
        return say('The first has helped.');
      }
      if (prompt === 'Help second') {
        // It ends while the agent tells of the first.
        while (second === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        return say('The second has helped.');
      }
      if (step === 0)
        return message([
          toolUse('Bash', { command: 'sleep 300', run_in_background: true }),
          toolUse('Agent', { ...helper, description: 'first', prompt: 'Help first' }),
          toolUse('Agent', { ...helper, description: 'second', prompt: 'Help second' }),
        ]);
      if (step === 1) {
        setTimeout(release, 200);
        return say('They have begun.');
      }
      second += 1;
      return say('They say: done.');
    },
    { isAllowed: true },
  );
  const told = await all(conversation);
  const results = told.filter(({ type }) => type === 'result');
  assert.equal(results.length, 1);
  assert.ok(results[0]?.type === 'result' && results[0].text === 'They say: done.');
  assert.ok(results[0].turns >= 3 && told.at(-1) === results[0]);
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /The second has helped/);
});

test('What is said while agents run is answered at once, and their words are not lost', async () => {
  const never = new Promise<void>(() => undefined);
  const helper = { description: 'a helper', prompt: 'Help', subagent_type: 'general-purpose' };
  const { conversation } = await start(
    async ({ prompt, step }) => {
      if (prompt === 'Help') await never;
      if (prompt === 'more') return say('More is said.');
      return step === 0 ? message([toolUse('Agent', helper)]) : say('It has begun.');
    },
    { isAllowed: true },
  );
  const results: string[] = [];
  for await (const one of conversation) {
    if (one.type === 'text' && one.text === 'It has begun.')
      setTimeout(() => conversation.send('more'), 200);
    if (one.type === 'result') results.push(one.text);
    if (one.type === 'text' && one.text === 'More is said.') break;
  }
  assert.deepEqual(results, ['It has begun.']);
});

test('What is no text is refused, and the conversation goes on', async () => {
  const { conversation } = await start(({ prompt }) => say(`re ${prompt}`), { prompt: 'one' });
  const results: string[] = [];
  for await (const one of conversation) {
    if (one.type !== 'result') continue;
    results.push(one.text);
    for (const odd of ['', ' \n', 5, null, undefined, { a: 1 }])
      assert.throws(() => conversation.send(odd as string), /must be a text/);
    if (results.length === 1) conversation.send('two');
  }
  assert.deepEqual(results, ['re one', 're two']);
});

test('A further prompt goes on in the same conversation, also when it is said at the end of the turn', async () => {
  const { conversation, model } = await start(({ prompt }) => say(`re ${prompt}`), {
    prompt: 'one',
  });
  conversation.send('two');
  const results: string[] = [];
  for await (const one of conversation) {
    if (one.type !== 'result') continue;
    results.push(one.text);
    if (results.length === 2) conversation.send('three');
  }
  assert.deepEqual(results, ['re one', 're two', 're three']);
  assert.match(
    JSON.stringify(model.requests.filter(({ isSide }) => !isSide).at(-1)?.body),
    /re one/,
  );
  assert.throws(() => conversation.send('four'), /has ended/);
});

test('Turns have their limit, and a write outside of the workspace is asked about and refused', async () => {
  const limited = await start(() => message([toolUse('mcp__probe__echo', { value: 'v' })]), {
    maxTurns: 2,
  });
  const end = (await all(limited.conversation)).at(-1);
  assert.ok(end?.type === 'result' && end.isError && end.reason === 'error_max_turns');
  const outside = path.join(process.cwd(), 'patchbay-headless-must-not-be');
  const writes = await start(
    ({ step }) =>
      step === 0 ? message([toolUse('Write', { file_path: outside, content: 'x' })]) : say('done'),
    { settings: { allowedTools: ['Write'] } },
  );
  await all(writes.conversation);
  assert.equal(writes.asked.length, 1);
  assert.ok(!existsSync(outside));
});

test('A signal ends it at once with its reason, also before it has started', async () => {
  const aborted = await start(() => say('x'), { signal: AbortSignal.abort(new Error('too late')) });
  await assert.rejects(all(aborted.conversation), /too late/);
  assert.deepEqual([aborted.ended, aborted.over.length], [['ended'], 1]);
  const abort = new AbortController();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = await start(() => message([text('begun'), pause(held), text('on')]), {
    signal: abort.signal,
  });
  const reading = all(running.conversation);
  reading.catch(() => undefined);
  while (running.model.requests.every(({ isSide }) => isSide)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  abort.abort(new Error('enough'));
  await assert.rejects(reading, /enough/);
  release();
});

test('A hook that comes while it starts counts, and calls that end with it are told of', async () => {
  const book = new HookBook();
  const seen: unknown[] = [];
  const abort = new AbortController();
  const startCli: BenchOptions['startCli'] = async (options) => {
    const transport = await spawnCli(options);
    const write = transport.write.bind(transport);
    let isFirst = true;
    return Object.assign(transport, {
      // What the CLI is told at its start has gone out with the first line.
      write: (line: OutboundMessage) => {
        const written = write(line);
        const run = (input: object) => seen.push(Reflect.get(input, 'tool_name'));
        if (isFirst) book.add({ event: 'PreToolUse', source: 'late', run });
        isFirst = false;
        return written;
      },
    });
  };
  const { conversation, calls } = await start(
    ({ step }) =>
      // The second one waits for others.
      message([toolUse(step === 0 ? 'mcp__probe__echo' : 'mcp__probe__meet', { value: 'v' })]),
    { hooks: book, startCli, signal: abort.signal, settings: { allowedTools: ['mcp__probe'] } },
  );
  const reading = (async () => {
    for await (const one of conversation) {
      if (one.type === 'toolCall' && one.tool === 'mcp__probe__meet') abort.abort();
    }
  })();
  await assert.rejects(reading, /abort/);
  while (calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(seen[0], 'mcp__probe__echo');
  assert.deepEqual(
    calls.map(({ tool, outcome }) => [tool, outcome]),
    [
      ['mcp__probe__echo', 'success'],
      ['mcp__probe__meet', 'error'],
    ],
  );
});

test('An agent that ends before its last answer has failed, and one that ends after it has not', async () => {
  for (const [answers, isFailure] of [
    [1, false],
    [2, true],
  ] as const) {
    let kill = (): Promise<unknown> => Promise.resolve();
    const startCli: BenchOptions['startCli'] = async (options) => {
      const transport = await spawnCli(options);
      kill = () => {
        process.kill(transport.pid ?? 0, 'SIGKILL');
        return transport.exited;
      };
      return transport;
    };
    const never = new Promise<void>(() => undefined);
    const { conversation } = await start(
      ({ prompt }) => (prompt === 'go' ? say('one') : message([pause(never)])),
      { startCli },
    );
    const results: string[] = [];
    const reading = (async () => {
      for await (const one of conversation) {
        if (one.type !== 'result') continue;
        results.push(one.text);
        if (answers === 2) conversation.send('two');
        await kill();
      }
    })();
    if (isFailure) await assert.rejects(reading, /The agent has ended/);
    else await reading;
    assert.deepEqual(results, ['one']);
    assert.throws(() => conversation.send('more'), /has ended/);
  }
});

test('A CLI that cannot be started is told by the iteration', async () => {
  const { conversation } = await start(() => say('x'), {
    settings: { cliPath: '/no/such/claude' },
  });
  await assert.rejects(all(conversation), /claude/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import type { AskAnswer, AskQuestion } from '../../../src/mcp/askPort';
import type { ConversationFacts, ConversationReset } from '../../../src/mcp/conversationFacts';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer } from '../../../src/mcp/mcpServer';
import { createToolContext, type ToolContext } from '../../../src/mcp/toolContext';
import { withHandClock } from './handClock';
import { createBench, serverWith, simpleTool, textOf, until } from './routerFixture';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the handler sees the conversation as it is now: mode, turn, client and its capabilities', async () => {
  const seen: unknown[] = [];
  const look = simpleTool('look', (_, ctx) => {
    const { mode, turnStart, lastTurnStart, clientInfo, clientCapabilities, conversation } = ctx;
    seen.push([
      mode,
      turnStart ?? lastTurnStart,
      clientInfo?.title,
      clientCapabilities,
      conversation.id,
    ]);
  });
  const facts = { mode: 'plan' as string | undefined, turnStart: 5 as number | undefined };
  const conversation: ConversationFacts = {
    id: 'c1',
    cwd: '/work',
    get mode() {
      return facts.mode;
    },
    get turnStart() {
      return facts.turnStart;
    },
    get lastTurnStart() {
      return 3;
    },
  };
  const { send, call } = createBench([serverWith('x', look)], { conversation });
  const client = { name: 'claude-code', title: 'Claude Code', version: '2' };
  await call('x', 'look');
  facts.mode = undefined;
  facts.turnStart = undefined;
  await send('x', {
    id: 0,
    method: 'initialize',
    params: { clientInfo: client, capabilities: { roots: {} } },
  });
  await call('x', 'look');
  assert.deepEqual(seen, [
    ['plan', 5, undefined, undefined, 'c1'],
    ['default', 3, 'Claude Code', { roots: {} }, 'c1'],
  ]);
});

test('the handler sees which sub-agent has called it, where the call is told', async () => {
  const seen: unknown[] = [];
  const look = simpleTool('look', (_, { agent }) => void seen.push(agent));
  const agentOf = (id: string): string | undefined => (id === 'toolu_2' ? 'toolu_1' : undefined);
  const { send } = createBench([serverWith('x', look)], {
    conversation: { id: 'c1', cwd: '/work', agentOf },
  });
  for (const [id, toolUseId] of [undefined, 'toolu_1', 'toolu_2'].entries()) {
    const _meta = toolUseId === undefined ? {} : { 'claudecode/toolUseId': toolUseId };
    const params = { name: 'look', arguments: {}, _meta };
    await send('x', { jsonrpc: '2.0', id, method: 'tools/call', params });
  }
  assert.deepEqual(seen, [undefined, undefined, 'toolu_1']);
});

test('a reset reaches what a handler listens with, until the conversation or the server is gone', async () => {
  const resets = new Emitter<ConversationReset>();
  const heard: string[] = [];
  const watch = simpleTool('watch', (_, { state, onDidReset, conversation }) => {
    if (state.has('watching')) return;
    state.set('watching', true);
    onDidReset((kind) => heard.push(`${conversation.id} ${kind}`));
  });
  const conversation = { id: 'c1', cwd: '', onDidReset: resets.event };
  const { call, router, registry } = createBench([serverWith('x', watch), serverWith('y', watch)], {
    conversation,
  });
  for (const server of ['x', 'x', 'y']) await call(server, 'watch');
  resets.fire('compaction');
  assert.deepEqual(heard, ['c1 compaction', 'c1 compaction']);
  registry.remove('y');
  resets.fire('rewind');
  assert.deepEqual(heard.slice(2), ['c1 rewind']);
  router.dispose();
  resets.fire('rewind');
  assert.equal(heard.length, 3);
  assert.equal(resets.hasListeners, false);
});

test('a form goes to the person with its schema and comes back typed and checked', async () => {
  const asked: AskQuestion[] = [];
  const answers: AskAnswer[] = [
    { action: 'accept', content: { name: 'Ann', age: '7' } },
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { name: 5 } },
  ];
  const tool = simpleTool('ask', async (_, { ask }) => {
    const answer = await ask(
      { name: z.string().describe('Your name'), age: z.int().optional() },
      'Who are you?',
    );
    if (answer.action !== 'accept') return answer.action;
    const { name, age }: { name: string; age?: number | undefined } = answer.content;
    return `${name} ${age ?? '-'}`;
  });
  const { send } = createBench([serverWith('x', tool)], {
    ask: (question) => {
      const answer = answers[asked.push(question) - 1];
      return Promise.resolve(answer!);
    },
  });
  const call = async () =>
    textOf(
      await send('x', {
        id: 1,
        method: 'tools/call',
        params: { name: 'ask', _meta: { 'claudecode/toolUseId': 'toolu_1' } },
      }),
    );
  assert.equal(await call(), 'Ann 7');
  assert.equal(await call(), 'decline');
  assert.equal(await call(), 'cancel');
  assert.match(
    (await call()) ?? '',
    /^Tool error: The answer does not fit the form:\nname: expected string, received number 5$/,
  );
  const [{ signal, ...question }] = asked as [AskQuestion];
  assert.equal(signal.aborted, false);
  assert.deepEqual(question, {
    server: 'x',
    tool: 'ask',
    toolUseId: 'toolu_1',
    message: 'Who are you?',
    schema: {
      type: 'object',
      properties: {
        name: { description: 'Your name', type: 'string' },
        age: { type: 'integer' },
      },
      required: ['name'],
    },
    conversation: { id: 'c1', cwd: '/work' },
  });
});

test('what only the schema of the tool can see brings the form back with what was typed, until it fits', async () => {
  const lowercase = (text: string): boolean => text === text.toLowerCase();
  const checks = {
    'at once': z.string().refine(lowercase, 'small letters'),
    later: z.string().refine((text) => Promise.resolve(lowercase(text)), 'small letters'),
  };
  for (const [kind, name] of Object.entries(checks)) {
    const asked: AskQuestion[] = [];
    const tool = simpleTool('ask', async (_, { ask }) =>
      JSON.stringify(await ask({ name }, 'Who?')),
    );
    const typed = ['Ann', 'ANN', 'ann'];
    const { call } = createBench([serverWith('x', tool)], {
      ask: (question) => {
        const text = typed[asked.push(question) - 1] ?? '';
        return Promise.resolve({ action: 'accept', content: { name: text }, draft: { '0': text } });
      },
    });
    assert.equal(
      textOf(await call('x', 'ask')),
      '{"action":"accept","content":{"name":"ann"}}',
      kind,
    );
    const line = (text: string) => `name: expected small letters, received string "${text}"`;
    assert.deepEqual(
      asked.map(({ again }) => again),
      [
        undefined,
        { draft: { '0': 'Ann' }, problems: [line('Ann')] },
        { draft: { '0': 'ANN' }, problems: [line('ANN')] },
      ],
      kind,
    );
  }
});

test('a form that comes back can be declined, and goes with its call', async () => {
  const tool = simpleTool('ask', async (_, { ask }) => {
    return (await ask({ name: z.string().refine(() => false) }, 'Who?')).action;
  });
  let count = 0;
  const { call, send } = createBench([serverWith('x', tool)], {
    ask: async ({ again, signal }) => {
      if (again === undefined) return { action: 'accept', content: { name: 'a' }, draft: {} };
      if ((count += 1) === 1) return { action: 'decline' };
      void send('x', { method: 'notifications/cancelled', params: { requestId: 'late' } });
      await until(() => signal.aborted);
      return { action: 'accept', content: { name: 'a' }, draft: {} };
    },
  });
  assert.equal(textOf(await call('x', 'ask')), 'decline');
  const params = { name: 'ask' };
  const late = await send('x', { jsonrpc: '2.0', id: 'late', method: 'tools/call', params });
  assert.equal(textOf(late), 'Cancelled');
  assert.equal(count, 2);
});

test('where nobody can be asked the tool says so, and a form that nobody needs any more is closed', async () => {
  const tool = simpleTool('ask', (_, { ask }) => ask({ a: z.string() }, 'A?'));
  const alone = createBench([serverWith('x', tool)]);
  assert.equal(textOf(await alone.call('x', 'ask')), 'Tool error: Nobody can be asked here');
  await assert.rejects(createToolContext().ask({ a: z.string() }, 'A?'), /Nobody can be asked/);
  let question: AskQuestion | undefined;
  const { call, router } = createBench([serverWith('x', tool)], {
    ask: (given) => {
      question = given;
      return new Promise(() => undefined);
    },
  });
  const answer = call('x', 'ask');
  await until(() => question !== undefined);
  router.cancelAll('stop');
  assert.equal((await answer).result?.isError, true);
  assert.equal(question?.signal.aborted, true);
});

/** With a clock that only the test moves. */
function withClock(body: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  return withHandClock((tick) =>
    body(async (ms) => {
      await settle();
      tick(ms);
      await settle();
    }),
  );
}

const nobodyWaits: Readonly<Record<string, (ctx: ToolContext) => unknown>> = {
  'returns at once': () => 'done',
  'returns later': () => Promise.resolve('done'),
  'throws at once': () => {
    throw new Error('no');
  },
  'throws later': () => Promise.reject(new Error('no')),
  'is stopped': ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    }),
};
for (const [what, end] of Object.entries(nobodyWaits)) {
  test(`a form of a call that ${what} is closed with it, and none is shown after it`, async () => {
    const asked: AskQuestion[] = [];
    let later: ToolContext['ask'] | undefined;
    const forgets = (ctx: ToolContext) => {
      later = ctx.ask;
      for (const text of ['One?', 'Two?']) void ctx.ask({ a: z.string() }, text);
      return end(ctx);
    };
    const server = createServer({
      name: 'x',
      tools: [simpleTool('t', (_, ctx) => forgets(ctx))],
      resources: [defineResource({ uri: 'x://a', read: (_, ctx) => forgets(ctx) })],
    });
    const bench = createBench([server], {
      // As a panel does: a form is there until it is answered or closed.
      ask: (question) => {
        asked.push(question);
        return new Promise((resolve) => {
          question.signal.addEventListener('abort', () => resolve({ action: 'cancel' }));
        });
      },
    });
    const requests = { 'tools/call': { name: 't' }, 'resources/read': { uri: 'x://a' } };
    for (const [method, params] of Object.entries(requests)) {
      asked.length = 0;
      const answer = bench.send('x', { jsonrpc: '2.0', id: 1, method, params });
      await until(() => asked.length === 2);
      if (what === 'is stopped') bench.router.cancelAll('the person stopped it');
      await answer;
      await until(() => asked.every(({ signal }) => signal.aborted));
      await assert.rejects(async () => later?.({ a: z.string() }, 'Late?'), /ended|Cancelled/);
      assert.equal(asked.length, 2);
    }
  });
}

test('the clock stands still while the person is asked, by a form, a preview or both at once', () =>
  withClock(async (pass) => {
    const form = createDeferred<AskAnswer>();
    const preview = createDeferred<string>();
    const asked = createDeferred<undefined>();
    const tool = simpleTool(
      'ask',
      async (_, { ask, whilePersonDecides }) => {
        await asked.promise;
        await Promise.all([ask({ a: z.string() }, 'A?'), whilePersonDecides(preview.promise)]);
        return new Promise(() => undefined);
      },
      { timeout: 1_000 },
    );
    const { call } = createBench([serverWith('x', tool)], { ask: () => form.promise });
    const answers: (string | undefined)[] = [];
    void call('x', 'ask').then((answer) => answers.push(textOf(answer)));
    await pass(600);
    asked.resolve(undefined);
    await pass(3_600_000);
    form.resolve({ action: 'decline' });
    await pass(3_600_000);
    assert.deepEqual(answers, [], 'one of the two is still open');
    preview.resolve('seen');
    await pass(399);
    assert.deepEqual(answers, []);
    await pass(1);
    assert.match(answers.join(), /^Tool 'ask' did not finish within 1 s/);
  }));

test('a form that is asked for at once, before the clock has started, holds it too', () =>
  withClock(async (pass) => {
    const form = createDeferred<AskAnswer>();
    const tool = simpleTool('ask', (_, { ask }) => ask({ a: z.string() }, 'A?'), { timeout: 50 });
    const { call } = createBench([serverWith('x', tool)], { ask: () => form.promise });
    const texts: (string | undefined)[] = [];
    void call('x', 'ask').then((answer) => texts.push(textOf(answer)));
    await pass(100_000);
    assert.deepEqual(texts, []);
    form.resolve({ action: 'decline' });
    await settle();
    assert.deepEqual(texts, ['{"action":"decline"}']);
  }));

test('progress gives the time anew only where the tool says so', () =>
  withClock(async (pass) => {
    const contexts: ToolContext[] = [];
    const wait = (_: unknown, ctx: ToolContext): Promise<never> => {
      contexts.push(ctx);
      return new Promise(() => undefined);
    };
    const server = serverWith(
      'x',
      simpleTool('plain', wait, { timeout: 1_000 }),
      simpleTool('long', wait, { timeout: 1_000, progressExtends: true }),
    );
    const { call } = createBench([server]);
    const ended: string[] = [];
    for (const name of ['plain', 'long']) void call('x', name).then(() => ended.push(name));
    await pass(900);
    for (const ctx of contexts) ctx.progress(1, 2);
    await pass(100);
    assert.deepEqual(ended, ['plain']);
    await pass(800);
    contexts[1]?.progress(2, 2);
    await pass(999);
    assert.deepEqual(ended, ['plain']);
    await pass(1);
    assert.deepEqual(ended, ['plain', 'long']);
  }));

test('M13: a timeout of twenty minutes is the only clock, and M14: what comes after it is dropped', () =>
  withClock(async (pass) => {
    const gate = createDeferred<string>();
    const tool = simpleTool('long', () => gate.promise, { timeout: 20 * 60_000 });
    const { call, logged, router } = createBench([serverWith('x', tool)]);
    const texts: (string | undefined)[] = [];
    void call('x', 'long', {}, 'r1').then((answer) => texts.push(textOf(answer)));
    await pass(10 * 60_000);
    assert.deepEqual(texts, []);
    await pass(10 * 60_000);
    assert.match(texts.join(), /did not finish within 1200 s/);
    gate.resolve('late');
    await settle();
    assert.ok(logged.includes('Late result of r1 dropped'));
    assert.equal(router.openCalls, 0);
  }));

test('a tool that reports a hundred thousand steps floods nobody, and its last one gets through', async () => {
  const steps = 100_000;
  const tool = simpleTool('count', (_, { progress }) => {
    for (let done = 1; done <= steps; done += 1) progress(done, steps);
  });
  const told: unknown[] = [];
  const { send } = createBench([serverWith('x', tool)], {
    notify: (_, message) => told.push(message),
  });
  const params = { name: 'count', _meta: { progressToken: 1 } };
  await send('x', { id: 1, method: 'tools/call', params });
  assert.ok(told.length <= 2_000, `${told.length}`);
  const last = told.at(-1) as { params: { progress: number } };
  assert.equal(last.params.progress, steps);
});

test('every function of the context works when it is taken out, and after the call does no harm', async () => {
  let kept: ToolContext | undefined;
  const tool = simpleTool('keep', (_, ctx) => {
    kept = ctx;
    const { progress, log } = ctx;
    progress(1);
    log('notice', 'taken out');
    return 'ok';
  });
  const steps: number[] = [];
  const { call, logged } = createBench([serverWith('x', tool)], {
    onProgress: ({ done }) => {
      steps.push(done);
      throw new Error('card is gone');
    },
  });
  assert.equal(textOf(await call('x', 'keep')), 'ok');
  kept?.progress(2);
  kept?.log('info', 'still logged');
  assert.equal(await kept?.whilePersonDecides(Promise.resolve(5)), 5);
  assert.deepEqual(steps, [1]);
  assert.ok(logged.includes('[x/keep] still logged'));
  assert.ok(logged.includes('Progress of x/keep could not be told'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import type { Verdict } from '../../../src/mcp/callDesk';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { withHandClock } from './handClock';
import { createBench, serverWith, simpleTool, textOf, until } from './routerFixture';

test('a client gets the messages of the level that it asked for, and before that none', async () => {
  const sent: { params: { level: string; logger: string; data: unknown } }[] = [];
  const server = createServer({
    name: 'x',
    capabilities: { logging: {} },
    tools: [
      simpleTool('talk', (_, { log }) => {
        log('debug', 'low');
        log('error', { high: new Error('x').message }, 'part');
        log('emergency', new Error('worst'));
        log('odd' as 'info', 1n);
      }),
    ],
  });
  const { send, call, logged } = createBench([server], {
    notify: (_, message) => sent.push(message as (typeof sent)[number]),
  });
  const level = (value: unknown) =>
    send('x', { id: 1, method: 'logging/setLevel', params: { level: value } });
  assert.deepEqual((await send('x', { id: 1, method: 'initialize' })).result?.capabilities, {
    tools: { listChanged: true },
    logging: {},
  });
  await call('x', 'talk');
  assert.equal(sent.length, 0);
  assert.deepEqual((await level('error')).result, {});
  await call('x', 'talk');
  assert.deepEqual(
    sent.map(({ params }) => params),
    [
      { level: 'error', logger: 'part', data: { high: 'x' } },
      { level: 'emergency', logger: 'talk', data: 'worst' },
    ],
  );
  assert.equal((await level('debug')).error, undefined);
  await call('x', 'talk');
  assert.equal(sent.length, 6);
  assert.equal((await level('loud')).error?.code, -32602);
  assert.ok(logged.includes('[x/talk/part] {"high":"x"}'));
});

test('reading and rendering can be cancelled, and end by themselves at their deadline', async () => {
  const seen: AbortSignal[] = [];
  const server = createServer({
    name: 'x',
    resources: [
      defineResource({
        uri: 'a:b',
        read: (_, { signal }) => {
          seen.push(signal);
          return new Promise(() => undefined);
        },
      }),
    ],
    prompts: [definePrompt({ name: 'p', timeout: 5, run: () => new Promise(() => undefined) })],
  });
  const { send, router } = createBench([server]);
  const reading = send('x', { id: 4, method: 'resources/read', params: { uri: 'a:b' } });
  await until(() => seen.length === 1);
  await send('x', {
    method: 'notifications/cancelled',
    params: { requestId: 4, reason: 'enough' },
  });
  assert.deepEqual((await reading).error, { code: -32603, message: 'Cancelled: enough' });
  assert.equal(seen[0]?.aborted, true);
  const late = await send('x', { id: 5, method: 'prompts/get', params: { name: 'p' } });
  assert.match(late.error?.message ?? '', /^prompts\/get did not finish within 0\.005 s/);
  assert.equal(router.openCalls, 0);
});

/** A tool whose arguments are checked until the test says so, and the steps of its calls. */
function checkedTool() {
  const check = createDeferred<boolean>();
  const verdict = createDeferred<Verdict>();
  const steps: string[] = [];
  const tool = defineTool({
    name: 'a',
    description: 'a',
    timeout: 50,
    input: { q: z.string().refine(() => check.promise) },
    run: () => {
      steps.push('run');
      return new Promise(() => undefined);
    },
  });
  const bench = createBench([serverWith('x', tool)], {
    verdict: () => {
      steps.push('asked');
      return verdict.promise;
    },
  });
  return { check, verdict, steps, ...bench };
}

test('a check of arguments that never ends is stopped at the deadline, and the tool does not run then', async () => {
  await withHandClock(async (tick) => {
    for (const outcome of [true, false]) {
      const { check, steps, call, router } = checkedTool();
      const answer = call('x', 'a', { q: 'x' });
      await until(() => router.openCalls === 1);
      tick(49);
      assert.equal(router.openCalls, 1);
      tick(1);
      assert.equal(
        textOf(await answer),
        "Tool 'a' was not run: its arguments could not be checked within 0.05 s",
      );
      check.resolve(outcome);
      await new Promise(setImmediate);
      assert.deepEqual([steps, router.openCalls], [[], 0]);
    }
  });
});

test('check and handler have each their own time, and the person between them all that is needed', async () => {
  await withHandClock(async (tick) => {
    const { check, verdict, steps, call, router } = checkedTool();
    const answer = call('x', 'a', { q: 'x' });
    await until(() => router.openCalls === 1);
    tick(40);
    check.resolve(true);
    await until(() => steps.length === 1);
    tick(100_000);
    verdict.resolve('allow');
    await until(() => steps.length === 2);
    tick(49);
    await new Promise(setImmediate);
    assert.equal(router.openCalls, 1, 'the time of the check is not counted again');
    tick(1);
    assert.match(textOf(await answer) ?? '', /did not finish within 0\.05 s .* in part/);
    assert.deepEqual(steps, ['asked', 'run']);
  });
});

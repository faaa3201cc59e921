import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { cliPidIn } from '../harness/model/cliPidIn';
import { message, pause, say, text, thinking, toolUse, type Script } from '../harness/model/script';
import {
  blocksOf,
  createBench,
  isIdle,
  saidIn,
  toolsOf,
  type BenchOptions,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: Script, options: BenchOptions = {}) {
  const made = await createBench({ model: { script }, ...options });
  benches.push(made);
  return made;
}

test('a prompt streams in with its thinking, and a second one goes on in the same conversation', async () => {
  const made = await bench([
    message([thinking('Let me see.'), text('Hello '), text('there.')]),
    say('And again.'),
  ]);
  await made.prompt('hi');
  await made.until('the first answer', isIdle);
  assert.deepEqual(
    blocksOf(made.view).map((block) => [block.kind, block.kind === 'tool' ? '' : block.text]),
    [
      ['thinking', 'Let me see.'],
      ['text', 'Hello there.'],
    ],
  );
  await made.prompt('more');
  await made.until(
    'the second answer',
    (view) => saidIn(view).includes('And again.') && isIdle(view),
  );
  const last = made.model.requests.filter((request) => !request.isSide).at(-1);
  assert.ok(JSON.stringify(last?.body).includes('Hello there.'), 'the model sees the first answer');
  assert.ok((made.view.usage?.outputTokens ?? 0) > 0);
  assert.deepEqual(made.view, made.conversation.snapshot());
});

test('tools of ours are listed, run, fail and run three at once', async () => {
  const made = await bench([
    message([
      toolUse('mcp__probe__echo', { value: 'a' }),
      toolUse('mcp__probe__fail', { value: 'b' }),
    ]),
    message(['x', 'y', 'z'].map((value) => toolUse('mcp__probe__meet', { value }))),
    say('Done.'),
  ]);
  await made.prompt('go');
  await made.until('the end', isIdle);
  assert.deepEqual(
    toolsOf(made.view).map((tool) => [tool.title, tool.state, tool.result?.text]),
    [
      ['Echo', 'done', 'echo a'],
      ['Fail', 'failed', 'Tool error: no b'],
      ['Meet', 'done', 'met x y z'],
      ['Meet', 'done', 'met x y z'],
      ['Meet', 'done', 'met x y z'],
    ],
  );
  const first = made.model.requests.find((request) => !request.isSide);
  assert.ok(first?.turn.tools.includes('mcp__probe__echo'), 'always loaded: in the first request');
});

test('how far a tool is stands in its row while it runs, and is gone when it has ended', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const registry = new ServerRegistry();
  registry.add(
    createServer({
      name: 'probe',
      tools: [
        defineTool({
          name: 'steps',
          description: 'Takes steps.',
          input: {},
          annotations: { readOnlyHint: true },
          run: async (_, { progress, mode, turnStart }) => {
            progress(1, 2, 'halfway');
            await held;
            return `${mode} ${turnStart === undefined ? 'between turns' : 'in a turn'}`;
          },
        }),
      ],
    }),
  );
  const made = await bench([message([toolUse('mcp__probe__steps')]), say('Done.')], { registry });
  await made.prompt('go');
  await made.until('the progress', (view) =>
    toolsOf(view).some(({ summary }) => summary.includes('1 of 2 · halfway')),
  );
  release();
  await made.until('the end', isIdle);
  const [tool] = toolsOf(made.view);
  assert.deepEqual([tool?.state, tool?.result?.text], ['done', 'default in a turn']);
  assert.ok(!tool?.summary.includes('halfway'));
});

for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto']) {
  test(`a read-only tool of ours runs without a question in mode ${mode}`, async () => {
    const made = await bench([message([toolUse('mcp__probe__echo', { value: mode })]), say('ok')], {
      mode,
    });
    await made.prompt('go');
    await made.until('the end', isIdle);
    assert.equal(made.view.mode, mode);
    assert.equal(toolsOf(made.view)[0]?.result?.text, `echo ${mode}`);
  });
}

test('a tool that writes asks; Allow for this conversation asks once', async () => {
  const made = await bench([
    message([toolUse('mcp__probe__store', { value: '1' })]),
    message([toolUse('mcp__probe__store', { value: '2' })]),
    say('ok'),
  ]);
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  const card = made.view.permissions[0];
  assert.equal(card?.title, 'Store a value');
  assert.ok(card.conversationRule?.includes('mcp__probe__store'));
  made.conversation.answerPermission(card.id, 'allowConversation');
  made.conversation.answerPermission(card.id, 'deny', 'too late');
  await made.until('the end', isIdle);
  assert.deepEqual(
    toolsOf(made.view).map((tool) => tool.result?.text),
    ['stored 1', 'stored 2'],
  );
});

test('the model reads why a call was denied', async () => {
  const made = await bench([
    message([toolUse('mcp__probe__store', { value: '1' })]),
    say('I see.'),
  ]);
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'deny', 'not on a Friday');
  await made.until('the end', isIdle);
  assert.equal(toolsOf(made.view)[0]?.state, 'denied');
  const last = made.model.requests.at(-1);
  assert.ok(JSON.stringify(last?.body).includes('not on a Friday'));
});

test('Stop in mid-stream keeps what was said, and what waits does not start by itself', async () => {
  const never = new Promise(() => undefined);
  const made = await bench((turn) =>
    turn.prompt.includes('long') ? message([text('Once upon'), pause(never)]) : say('Next.'),
  );
  await made.prompt('a long one');
  await made.until('text', (view) => saidIn(view).includes('Once upon'));
  await made.prompt('second');
  await made.until('the queue', (view) => view.queue.length === 1);
  await made.conversation.stop();
  await made.until('idle', (view) => view.status.kind === 'idle');
  assert.equal(saidIn(made.view), 'Once upon');
  assert.deepEqual(
    made.view.queue.map((item) => item.text),
    ['second'],
  );
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.until('the next answer', (view) => saidIn(view).includes('Next.') && isIdle(view));
  assert.equal(made.view.queue.length, 0);
});

test('Stop withdraws an open card and the process stays for the next prompt', async () => {
  const made = await bench((turn) =>
    turn.prompt.includes('write')
      ? message([toolUse('mcp__probe__store', { value: '1' })])
      : say('Fine.'),
  );
  await made.prompt('write it');
  await made.until('the card', (view) => view.permissions.length === 1);
  await made.conversation.stop();
  await made.until('idle', (view) => view.status.kind === 'idle');
  assert.equal(made.view.permissions.length, 0);
  await made.prompt('hello');
  await made.until('an answer', (view) => saidIn(view).includes('Fine.'));
});

test('a killed CLI is told, and Retry goes on in the same conversation', async () => {
  const never = new Promise(() => undefined);
  let kills = 0;
  const made = await bench((turn) => {
    if (turn.prompt.includes('second') && kills === 0) {
      return message([text('Half'), pause(never)]);
    }
    return say(`Answer to ${turn.prompt}.`);
  });
  await made.prompt('first');
  await made.until('the first answer', isIdle);
  await made.prompt('second');
  await made.until('text', (view) => saidIn(view).includes('Half'));
  kills = 1;
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error' && alert.actions.includes('retry') && alert.kept);
  made.conversation.retry(alert.id);
  await made.until('the answer', (view) => saidIn(view).includes('Answer to second'));
  const last = made.model.requests.filter((request) => !request.isSide).at(-1);
  assert.ok(JSON.stringify(last?.body).includes('Answer to first.'), 'resumed, not started anew');
});

test('the mode of the person’s own settings holds until our setting names one (C17)', async () => {
  for (const [mode, inForce] of [
    ['', 'acceptEdits'],
    ['plan', 'plan'],
  ] as const) {
    const made = await bench(() => say('ok'), { mode });
    const folder = path.join(made.sandbox.home, '.claude');
    await mkdir(folder, { recursive: true });
    const own = { permissions: { defaultMode: 'acceptEdits' } };
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(own));
    made.conversation.prewarm();
    await made.until('ready', (view) => view.models.length > 0);
    assert.equal(made.view.mode, inForce);
  }
});

test('a mode that the CLI refuses is shown disabled with its reason', async () => {
  const made = await bench([say('hello')]);
  await made.prompt('hi');
  await made.until('the answer', isIdle);
  await made.conversation.setMode('bypassPermissions');
  await made.until('the reason', (view) => view.modes.some((mode) => mode.disabledReason));
  const refused = made.view.modes.find((mode) => mode.disabledReason);
  assert.equal(refused?.id, 'bypassPermissions');
  assert.notEqual(made.view.mode, 'bypassPermissions');
});

test('no login is told with what to do, and the message is kept', async () => {
  const made = await bench([say('never')], { environment: { ANTHROPIC_API_KEY: '' } });
  await made.prompt('hi');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error');
  assert.ok(alert.actions.includes('login') && alert.actions.includes('retry'));
  assert.ok(alert.kept && alert.next);
  assert.equal(made.view.items[0]?.kind === 'user' && made.view.items[0].text, 'hi');
});

test('a missing CLI is told with what to do, and the message is kept', async () => {
  const made = await bench([say('never')], { cliPath: '/nonexistent/claude' });
  await made.prompt('hi');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error' && alert.kept && alert.next);
  assert.ok(alert.actions.includes('retry'));
  assert.equal(made.view.items[0]?.kind === 'user' && made.view.items[0].text, 'hi');
});

/** The CLI that works in this folder, by what the kernel says of its processes. */

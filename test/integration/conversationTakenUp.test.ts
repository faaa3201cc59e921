import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { object } from 'zod/mini';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer } from '../../src/mcp/mcpServer';
import { cliPidIn } from '../harness/model/cliPidIn';
import { eventually } from '../harness/panelSandbox/eventually';
import { message, say, toolUse, type Script, type Turn } from '../harness/model/script';
import { TestClock } from '../unit/conversation/testClock';
import {
  calculatorRegistry,
  type ConversationBench,
  createBench,
  isIdle,
  PARK_AFTER_MINUTES,
  saidIn,
  toolsOf,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

/** With a tool that counts its calls for each conversation. */
function countingRegistry() {
  const registry = calculatorRegistry();
  const server = createServer({ name: 'counter' });
  server.registerTool(
    defineTool({
      name: 'count',
      description: 'Counts its calls.',
      input: object({}),
      annotations: { readOnlyHint: true },
      alwaysLoad: true,
      run: (_input, ctx) => {
        const number = Number(ctx.state.get('number') ?? 0) + 1;
        ctx.state.set('number', number);
        return `count ${number}`;
      },
    }),
  );
  registry.add(server);
  return registry;
}

const script: Script = (turn: Turn) => {
  if (turn.prompt !== 'work') return say(`Answer to ${turn.prompt}.`);
  if (turn.step > 0) return say(turn.results.map(({ text }) => text).join(', '));
  return message([
    toolUse('mcp__probe__store', { value: 'x' }),
    toolUse('Bash', { command: 'touch "made (1), and" more.txt', description: 'makes' }),
    toolUse('mcp__counter__count'),
  ]);
};

async function bench(
  own: Script = script,
): Promise<ConversationBench & { readonly clock: TestClock }> {
  const clock = new TestClock();
  const made = await createBench({ model: { script: own }, clock, registry: countingRegistry() });
  benches.push(made);
  return { ...made, clock };
}

/** Answers each card so that it is the last of its kind, until the turn has ended. */
async function workWithGrants(made: ConversationBench): Promise<void> {
  await made.prompt('work');
  for (let cards = 0; cards < 2; cards += 1) {
    await made.until('a card', ({ permissions }) => permissions.length === 1);
    const [card] = made.view.permissions;
    assert.ok(card?.conversationRule !== undefined, card?.toolName);
    made.conversation.answerPermission(card.id, 'allowConversation');
    await made.until('the next', ({ permissions }) => permissions[0]?.id !== card.id);
  }
  await made.until('the end', isIdle);
}

async function answerTo(made: ConversationBench, prompt: string): Promise<void> {
  const before = made.view.items.length;
  await made.prompt(prompt);
  await made.until(
    `the answer to ${prompt}`,
    (view) => view.items.length >= before + 2 && isIdle(view),
  );
}

function lastAsked({ model }: ConversationBench): { model: unknown; effort: unknown } {
  const body = model.requests.filter(({ isSide }) => !isSide).at(-1)?.body;
  assert.ok(body);
  // Of the API; the harness types only what it needs.
  const { model: name, output_config: config } = body as unknown as {
    model: string;
    output_config?: { effort?: string };
  };
  return { model: name, effort: config?.effort };
}

/** The CLI that works for the conversation; undefined while none does. */
function pidOf({ sandbox }: ConversationBench): number | undefined {
  try {
    return cliPidIn(sandbox.workspace);
  } catch {
    return undefined;
  }
}

/** What the CLI itself has written down as the cost of the session. */
async function costOnDisk(made: ConversationBench): Promise<number> {
  const projects = path.join(made.sandbox.home, '.claude', 'projects');
  const names = await readdir(projects, { recursive: true });
  const name = names.find((one) => one.endsWith('.jsonl')) ?? '';
  const lines = (await readFile(path.join(projects, name), 'utf8')).split('\n');
  const states = lines.filter((line) => line.includes('"cost-state"'));
  // Written by the CLI.
  return (JSON.parse(states.at(-1) ?? '{}') as { totalCostUSD: number }).totalCostUSD;
}

test('a parked conversation goes on in its mode, model, effort, rules, tool state and cost', async () => {
  const made = await bench();
  await workWithGrants(made);
  assert.match(saidIn(made.view), /count 1/);
  await answerTo(made, '/effort low');
  await answerTo(made, '/model sonnet');
  await made.until('the model', ({ model }) => model === 'sonnet');
  await made.conversation.setMode('acceptEdits');
  await made.conversation.setMode('plan');
  await answerTo(made, 'plain');
  const asked = lastAsked(made);
  assert.equal(asked.effort, 'low');
  const before = made.conversation.snapshot();

  await eventually(() => {
    // Whatever the CLI still says of the turn begins the while anew.
    if (pidOf(made) !== undefined) made.clock.advance(PARK_AFTER_MINUTES * 60_000);
    return pidOf(made) === undefined;
  }, 60_000);
  assert.deepEqual(made.conversation.snapshot(), before, 'nobody notices the end');
  made.conversation.prewarm();
  await eventually(() => pidOf(made) !== undefined, 60_000);

  await answerTo(made, 'plain');
  assert.deepEqual(lastAsked(made), asked);
  const later = made.conversation.snapshot();
  assert.deepEqual([later.mode, later.model], ['plan', 'sonnet']);
  assert.equal(later.items.length, before.items.length + 2);
  const cost = [before.usage?.costUsd ?? 0, later.usage?.costUsd ?? 0] as const;
  assert.ok(cost[1] > cost[0] && cost[1] < cost[0] * 1.5, cost.join(' '));

  await made.conversation.setMode('default');
  await made.prompt('work');
  await made.until('the end', (view) => saidIn(view).includes('count 2') && isIdle(view));
  assert.deepEqual(
    toolsOf(made.view)
      .slice(-3)
      .map(({ state }) => state),
    ['done', 'done', 'done'],
    'what was allowed for the conversation is not asked again',
  );
  await made.conversation.dispose();
  const counted = made.view.usage?.costUsd ?? 0;
  assert.ok(Math.abs(counted - (await costOnDisk(made))) < 1e-9, 'the CLI has counted the same');
});

test('a conversation whose shell is in another folder is not parked: only the process knows which', async () => {
  const made = await bench((turn) =>
    turn.step > 0
      ? say(`${turn.prompt}: ${turn.results.map(({ text }) => path.basename(text)).join()}.`)
      : message([toolUse('Bash', { command: turn.prompt, description: 'x' })]),
  );
  await answerTo(made, 'cd src && pwd');
  const pid = pidOf(made);
  for (let round = 0; round < 30; round += 1) {
    made.clock.advance(PARK_AFTER_MINUTES * 60_000);
    // It looks at the disk before it ends anything.
    await readdir(made.sandbox.workspace);
  }
  await answerTo(made, 'pwd');
  assert.equal(pidOf(made), pid);
  assert.match(saidIn(made.view), /\bpwd: src\./);
  await answerTo(made, 'cd .. && pwd');
  await eventually(() => {
    if (pidOf(made) !== undefined) made.clock.advance(PARK_AFTER_MINUTES * 60_000);
    return pidOf(made) === undefined;
  }, 60_000);
});

test('after a kill mode, model, effort and cost are back, and the cost goes on', async () => {
  const made = await bench();
  await answerTo(made, 'first');
  await answerTo(made, '/effort high');
  await made.conversation.setModel('sonnet');
  await made.conversation.setMode('acceptEdits');
  await answerTo(made, 'second');
  const asked = lastAsked(made);
  const { usage } = made.conversation.snapshot();
  assert.ok(usage && usage.costUsd > 0);
  await eventually(() => made.kept()?.effort === 'high', 60_000);
  process.kill(cliPidIn(made.sandbox.workspace), 'SIGKILL');
  await made.until('its end', (view) => view.items.at(-1)?.kind === 'notice');

  const next = made.again(made.kept());
  await next.until('the transcript', (view) => view.items.length > 0);
  assert.deepEqual(next.view.usage, usage);
  assert.deepEqual([next.view.mode, next.view.model], ['acceptEdits', 'sonnet']);
  await next.prompt('third');
  await next.until('the answer', (view) => saidIn(view).includes('third') && isIdle(view));
  assert.deepEqual(lastAsked(made), asked);
  assert.equal(next.view.mode, 'acceptEdits');
  const cost = next.view.usage.costUsd;
  assert.ok(cost > usage.costUsd && cost < usage.costUsd * 1.9, `${usage.costUsd} ${cost}`);
});

test('a model that the CLI refuses is not chosen, neither here nor for the next process', async () => {
  const made = await bench();
  const folder = path.join(made.sandbox.env.HOME ?? '', '.claude');
  await mkdir(folder, { recursive: true });
  const settings = JSON.stringify({ availableModels: ['haiku'] });
  await writeFile(path.join(folder, 'settings.json'), settings);
  await made.conversation.setModel('haiku');
  await answerTo(made, 'first');
  await made.conversation.setModel('opus');
  await made.until('the refusal', (view) =>
    JSON.stringify(view.items.at(-1)).includes('The model could not be changed: '),
  );
  assert.deepEqual([made.view.model, made.kept()?.model], ['haiku', 'haiku']);
});

test('a second look at the open questions leaves hooks, tools and the question as they are', async () => {
  const made = await bench();
  await made.prompt('work');
  await made.until('the card', ({ permissions }) => permissions.length === 1);
  const before = made.conversation.snapshot();
  made.conversation.recheckQuestions();
  made.conversation.recheckQuestions();
  const [store] = made.view.permissions;
  await made.conversation.setModel('sonnet');
  assert.deepEqual(made.conversation.snapshot().permissions, before.permissions);
  made.conversation.answerPermission(store?.id ?? '', 'allowOnce');
  await made.until('the next', ({ permissions }) => permissions[0]?.toolName === 'Bash');
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'deny');
  await made.until('the end', isIdle);
  assert.deepEqual(
    toolsOf(made.view).map(({ state }) => state),
    ['done', 'denied', 'done'],
  );
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { PlanCard, PlanReply } from '../../src/chat/askProtocol';
import type { ToolBlock, ViewState } from '../../src/chat/viewStateProtocol';
import { message, type Reply, say, type Script, toolUse } from '../harness/model/script';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  type ConversationBench,
  createBench,
  createFakeBench,
  type DrivenConversation,
  isIdle,
  toolsOf,
} from './conversationBench';

const PLAN = '# Greet\n\n1. Say hello\n2. Say goodbye\n';

/**
 * Plans, asks for approval, and writes a file once it has it. A prompt `empty` writes no plan, and
 * what is no plan of ours is only answered.
 */
const planner: Script = ({ prompt, step, results, context }): Reply => {
  const exit = results.findLast(({ name }) => name === 'ExitPlanMode');
  if (!/^(?:plan|empty)/.test(prompt)) return say('done');
  if (exit) {
    const isWritten = results.at(-1)?.name === 'Write';
    if (exit.isError || isWritten) return say('done');
    return message([
      toolUse('Write', { file_path: `${prompt.split(' ')[1]}.txt`, content: 'hello' }),
    ]);
  }
  const steps = [message([toolUse('EnterPlanMode')]), message([toolUse('ExitPlanMode')])];
  if (prompt.startsWith('plan')) {
    const told = [context, ...results.map(({ text }) => text)].join('\n');
    const file = /\S+\/plans\/[\w-]+\.md/.exec(told)?.[0] ?? 'no plan file named';
    steps.splice(1, 0, message([toolUse('Write', { file_path: file, content: PLAN })]));
  }
  return steps[step] ?? say('done');
};

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(): Promise<ConversationBench> {
  const made = await createBench({ model: { script: planner } });
  benches.push(made);
  return made;
}

let shared: Promise<ConversationBench> | undefined;
/** One conversation for all that only plan and answer in it; each begins in the mode that asks. */
async function common(): Promise<ConversationBench> {
  const made = await (shared ??= bench());
  await made.conversation.setMode('default');
  return made;
}

async function planned(made: DrivenConversation, prompt: string): Promise<PlanCard> {
  await made.prompt(prompt);
  await made.until('the plan', (view) => view.asks.length === 1);
  const [card] = made.view.asks;
  assert.ok(card?.kind === 'plan');
  return card;
}

const lastPlan = (view: ViewState): ToolBlock | undefined =>
  toolsOf(view).findLast(({ name }) => name === 'ExitPlanMode');

/** Answers, and returns what the model read of its plan at the end of the turn. */
async function answered(made: DrivenConversation, card: PlanCard, reply: PlanReply) {
  made.conversation.asks.answer(card.id, reply);
  await made.until('the end of the turn', (view) => view.asks.length === 0 && isIdle(view));
  return lastPlan(made.view)?.result?.text ?? '';
}

const approve = (acceptEdits: boolean): PlanReply => ({ action: 'approve', acceptEdits });

test('an approved plan is carried out in the mode of before, where edits are asked about', async () => {
  const made = await common();
  const card = await planned(made, 'plan asked');
  assert.deepEqual([made.view.mode, made.view.status.kind], ['plan', 'waitingForAnswer']);
  assert.equal(card.plan, PLAN);
  made.conversation.asks.answer(card.id, approve(false));
  await made.until('the question about the edit', (view) => view.permissions.length === 1);
  assert.equal(made.view.mode, 'default');
  made.conversation.answerPermission(made.view.permissions[0]?.id ?? '', 'allowOnce');
  await made.until('the end', isIdle);
  const row = lastPlan(made.view);
  assert.deepEqual([row?.state, row?.figure, row?.plan?.text], ['done', 'approved', PLAN]);
  assert.match(row?.result?.text ?? '', /User has approved your plan/);
});

test('approved with edits accepted the mode changes, and the next edit is not asked about', async () => {
  const made = await common();
  const card = await planned(made, 'plan unasked');
  assert.match(await answered(made, card, approve(true)), /User has approved your plan/);
  assert.equal(made.view.mode, 'acceptEdits');
  const write = toolsOf(made.view).at(-1);
  assert.deepEqual([write?.name, write?.state, made.view.permissions], ['Write', 'done', []]);
});

test('an edited plan is what the model goes by, and it is told whose edits they are', async () => {
  const made = await common();
  const card = await planned(made, 'plan edited');
  const edited = `${PLAN}3. Wave\n`;
  made.conversation.asks.reviewPlan(card.id, ({ comments }) => ({ edited, comments }));
  await made.until('the edit', ({ asks: [now] }) => now?.kind === 'plan' && now.edited === edited);
  const read = await answered(made, card, approve(true));
  assert.match(read, /Approved Plan \(edited by user\):\n# Greet[^]*3\. Wave/);
  const row = lastPlan(made.view);
  assert.deepEqual([row?.plan?.text, row?.figure], [edited, 'approved with your edits']);
});

test('who keeps planning is heard: words, comments with their lines, own version; the mode stays', async () => {
  const made = await common();
  const card = await planned(made, 'plan kept');
  const comment = { id: 'c', from: 3, to: 4, quote: '1. Say hello\n2. Say goodbye', text: 'Swap' };
  made.conversation.asks.reviewPlan(card.id, () => ({
    edited: `${PLAN}3. Wave\n`,
    comments: [comment],
  }));
  const read = await answered(made, card, { action: 'keepPlanning', words: 'shorter, please' });
  assert.match(read, /^The user has not approved the plan[^]*What to change:\nshorter, please/);
  assert.match(read, /1\. Lines 3-4:\n> 1\. Say hello\n> 2\. Say goodbye\nSwap\n/);
  assert.match(read, /edited by the user[^]*3\. Wave/);
  assert.equal(made.view.mode, 'plan');
  const row = lastPlan(made.view);
  assert.deepEqual([row?.state, row?.figure, row?.plan?.text], ['denied', 'not approved', PLAN]);
});

test('a plan that no file holds is said to be none, and can be answered', async () => {
  // One that has planned before has a plan file.
  const made = await bench();
  const card = await planned(made, 'empty nothing');
  assert.equal(card.plan, undefined);
  const read = await answered(made, card, { action: 'keepPlanning', words: '' });
  assert.match(read, /has not said what to change/);
  assert.equal(made.view.mode, 'plan');
});

test('Stop takes a plan away, and a late answer to it changes nothing', async () => {
  const made = await common();
  const card = await planned(made, 'plan stopped');
  await made.conversation.stop();
  await made.until('the end', (view) => view.asks.length === 0 && view.status.kind === 'idle');
  made.conversation.asks.answer(card.id, approve(true));
  await made.conversation.setMode('default');
  await made.prompt('hello');
  const last = ({ items }: ViewState) => items.findLast((item) => item.kind === 'user');
  await made.until('the next turn', (view) => last(view)?.text === 'hello' && isIdle(view));
  assert.equal(made.view.mode, 'default');
});

test('after the end of its process a plan stands as interrupted with edits and comments; its answer is the next message, in the mode that it grants', async () => {
  const made = await bench();
  const card = await planned(made, 'plan again');
  const comment = { id: 'c', from: 1, to: 1, quote: '# Greet', text: 'Say whom' };
  made.conversation.asks.reviewPlan(card.id, () => ({
    edited: `${PLAN}3. Wave\n`,
    comments: [comment],
  }));
  await made.until(
    'the review',
    ({ asks: [now] }) => now?.kind === 'plan' && now.comments.length === 1,
  );
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(structuredClone(kept));
  await next.until('the card', (view) => view.asks.length === 1);
  const [back] = next.view.asks;
  assert.ok(back?.kind === 'plan' && back.interrupted === true);
  assert.deepEqual([back.edited, back.comments], [`${PLAN}3. Wave\n`, [comment]]);
  assert.equal(lastPlan(next.view)?.plan?.text, PLAN, 'its row is drawn from the disk');
  next.conversation.asks.answer(back.id, approve(true));
  await next.until('the answer', (view) => view.asks.length === 0 && isIdle(view));
  const said = next.view.items.findLast((item) => item.kind === 'user');
  assert.match(said?.kind === 'user' ? said.text : '', /I approve it\.[^]*3\. Wave/);
  assert.equal(next.view.mode, 'acceptEdits');
});

test('a decided plan is drawn from the disk with what was decided', async () => {
  const made = await common();
  const kept = made.kept();
  await made.conversation.dispose();
  const next = made.again(structuredClone(kept));
  await next.until('the conversation', ({ items }) => items.length > 2);
  const rows = toolsOf(next.view).filter(({ name }) => name === 'ExitPlanMode');
  const figures = rows.map(({ figure, plan }) => [figure, plan?.text.includes('Wave')]);
  assert.deepEqual(figures.slice(0, 4), [
    ['approved', false],
    ['approved', false],
    ['approved with your edits', true],
    ['not approved', false],
  ]);
});

test('several plans of agents wait side by side, each is answered once, and one that is taken back says so', async () => {
  const ask = (id: string) => ({
    id,
    ask: {
      ...{ subtype: 'can_use_tool', tool_name: 'ExitPlanMode', tool_use_id: `t-${id}` },
      input: { plan: `# Plan ${id}` },
    },
  });
  const made = await createFakeBench({
    turns: [
      [
        ask('a'),
        ask('b'),
        ask('c'),
        { answerTo: 'a' },
        { answerTo: 'b' },
        { cancel: 'c' },
        { result: {} },
      ],
    ],
  });
  benches.push(made);
  await made.prompt('go');
  await made.until('all plans', (view) => view.asks.length === 3);
  made.conversation.asks.answer('b', { action: 'keepPlanning', words: 'no' });
  made.conversation.asks.answer('b', approve(true));
  made.conversation.asks.answer('a', { action: 'accept', draft: {} });
  assert.equal(
    made.conversation.snapshot().asks.length,
    2,
    'an answer that is none changes nothing',
  );
  made.conversation.asks.answer('a', approve(false));
  await made.until('the end', (view) => view.asks.length === 0 && isIdle(view));
  await eventually(async () => (await made.fake.records('answer')).length === 2);
  const answers = (await made.fake.records('answer')).map(({ id, response }) => [
    id,
    response.response,
  ]);
  const [a, b] = ['a', 'b'].map((id) => answers.find(([of]) => of === id)?.[1]) as {
    behavior?: string;
  }[];
  assert.deepEqual([a?.behavior, b?.behavior], ['allow', 'deny']);
  const notices = made.view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  assert.deepEqual(notices, ['Withdrawn before you answered: Plan c']);
});

test('an interrupted plan of a living conversation is answered in words, or put away', async () => {
  const made = await createFakeBench({
    turns: [
      [
        {
          id: 'p',
          ask: { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input: { plan: '# P' } },
        },
        { gate: 'seen' },
        { exit: 5 },
      ],
    ],
  });
  benches.push(made);
  await made.prompt('go');
  await made.until('the plan', (view) => view.asks.length === 1);
  await made.fake.open('seen');
  await made.until('the end', (view) => view.asks.some(({ interrupted }) => interrupted === true));
  made.conversation.asks.reviewPlan('p', () => ({ edited: '# Mine', comments: [] }));
  await made.until(
    'the edit',
    ({ asks: [now] }) => now?.kind === 'plan' && now.edited === '# Mine',
  );
  made.conversation.asks.answer('p', { action: 'decline' });
  await made.until('an empty view', (view) => view.asks.length === 0);
  assert.equal(made.kept()?.asks, undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanCard } from '../../../src/chat/askProtocol';
import { askCardSchema } from '../../../src/chat/askCardSchema';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import { planAnswer, reviewedPlan, tryCreatePlanCard } from '../../../src/chat/planCard';
import { keepPlanningMessage } from '../../../src/chat/planFeedback';
import { planFileName, planTitle } from '../../../src/chat/planName';
import { parseInboundRequest } from '../../../src/protocol/controlRequests';
import { planCard } from './askFixture';
import { Chat, readTranscript } from './chatHarness';

const PLAN = '# Greet\n\n1. Say hello\n2. Say goodbye\n';

const request = (input: Record<string, unknown>): PermissionRequest => ({
  tool_name: 'ExitPlanMode',
  input,
  tool_use_id: 't1',
});

function cardOf(input: Record<string, unknown>): PlanCard {
  const card = tryCreatePlanCard('r', request(input));
  assert.ok(card);
  return card;
}

test('the plans of the recorded wire are cards, and a plan that no file holds is none', () => {
  const cards = readTranscript('chat-plan-questions').flatMap(({ dir, m }) => {
    if (dir !== 'in' || m.type !== 'control_request') return [];
    const parsed = parseInboundRequest(m.request);
    if (parsed.subtype !== 'can_use_tool' || parsed.tool_name !== 'ExitPlanMode') return [];
    const card = tryCreatePlanCard('r', parsed);
    assert.ok(card);
    return [card];
  });
  assert.ok(cards.length > 2);
  assert.ok(cards.some(({ plan }) => plan !== undefined));
  for (const input of [{}, { plan: '' }, { plan: ' \n' }, { plan: null }]) {
    assert.equal(cardOf(input).plan, undefined);
  }
  // What is no text is shown as it came, by the ordinary card; other tools are none of ours.
  assert.equal(tryCreatePlanCard('r', request({ plan: ['x'] })), undefined);
  assert.equal(tryCreatePlanCard('r', { ...request({}), tool_name: 'Bash' }), undefined);
});

test('what hides in a plan is written out, ordinary prose of any language is left alone', () => {
  assert.equal(cardOf({ plan: PLAN }).shown, undefined);
  assert.equal(cardOf({ plan: 'rm \u202Eabc' }).shown, 'rm \\u202Eabc');
  const prose = 'Prix\u00A0: 3\u202F€ 東京\u3000計画 👩\u200D💻 naïve';
  assert.equal(cardOf({ plan: prose }).shown, undefined);
  assert.equal(cardOf({ plan: 'one\r\ntwo\r\n' }).shown, 'one\ntwo\n');
  assert.equal(cardOf({ plan: 'a\u200Db' }).shown, 'a\\u200Db');
});

test('a plan of five megabytes is cut for the eye and approved as it came', () => {
  const input = { plan: 'x'.repeat(5_000_000) };
  const card = cardOf(input);
  assert.equal(card.cutFrom, 5_000_000);
  assert.ok((card.plan ?? '').length < 120_000);
  const edited = reviewedPlan(card, { edited: 'short', comments: [] });
  const answer = planAnswer(request(input), edited, { action: 'approve', acceptEdits: false });
  assert.deepEqual(answer, { behavior: 'allow', updatedInput: input });
});

test('approve sends the input as it came or the edited plan, and the mode where it is asked for', () => {
  const input = { plan: PLAN, planFilePath: '/h/plans/x.md' };
  const card = cardOf(input);
  const approve = (acceptEdits: boolean, from = card) =>
    planAnswer(request(input), from, { action: 'approve', acceptEdits });
  assert.deepEqual(approve(false), { behavior: 'allow', updatedInput: input });
  const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  assert.deepEqual(approve(true), {
    ...{ behavior: 'allow', updatedInput: input, updatedPermissions: [mode] },
  });
  const edited = reviewedPlan(card, { edited: `${PLAN}3. Wave\n`, comments: [] });
  assert.deepEqual(approve(false, edited), {
    behavior: 'allow',
    updatedInput: { ...input, plan: `${PLAN}3. Wave\n` },
  });
  // Written back as it was, with an editor's line ends or not, it is not edited.
  const same = reviewedPlan(edited, { edited: PLAN.replaceAll('\n', '\r\n'), comments: [] });
  assert.equal(same.edited, undefined);
  assert.equal(planAnswer(request(input), card, { action: 'accept', draft: {} }), undefined);
});

test('a no always has words that the model can act on', () => {
  const deny = (words: string, card = cardOf({ plan: PLAN })) => {
    const answer = planAnswer(request({}), card, { action: 'keepPlanning', words });
    return answer?.behavior === 'deny' ? answer.message : undefined;
  };
  assert.match(deny('  ') ?? '', /wants to keep planning and has not said what to change/);
  assert.match(deny('use fewer words') ?? '', /not approved[^]*What to change:\nuse fewer words$/);
  const away = planAnswer(request({}), cardOf({}), { action: 'decline' });
  assert.ok(away?.behavior === 'deny' && away.message !== '');
});

test('comments go with their lines and what stands there, in the order of the plan', () => {
  const card = planCard({
    comments: [
      { id: 'b', from: 3, to: 4, quote: '1. Say hello\n2. Say goodbye', text: 'Swap these' },
      { id: 'a', from: 1, to: 1, quote: '# Greet', text: ' Too short ' },
      { id: 'c', from: 4, to: 4, quote: '3. Wave', text: 'Why?', isGone: true },
    ],
  });
  assert.equal(
    keepPlanningMessage(card, ''),
    [
      'The user has not approved the plan yet and wants to keep planning. Stay in plan mode, change the plan as said below, and then ask for approval again.',
      'Comments on lines of the plan:',
      '1. Line 1:\n> # Greet\nToo short',
      '2. Lines 3-4:\n> 1. Say hello\n> 2. Say goodbye\nSwap these',
      '3. On text that the user has deleted since, near line 4:\n> 3. Wave\nWhy?',
    ].join('\n\n'),
  );
  const edited = keepPlanningMessage({ ...card, edited: 'with ``` fence' }, 'and so on');
  assert.match(edited, /Comments on lines of the edited plan below:/);
  assert.match(
    edited,
    /edited by the user\. Go on from this version:\n````markdown\nwith ``` fence\n````$/,
  );
});

test('a plan waits, is edited, and leaves its row with what was decided', () => {
  const chat = new Chat().prompt('go').cli({
    type: 'assistant',
    message: {
      id: 'm1',
      content: [{ type: 'tool_use', id: 't1', name: 'ExitPlanMode', input: { plan: PLAN } }],
    },
  });
  const card = planCard();
  chat.apply({ type: 'askRequested', card });
  assert.equal(chat.status, 'waitingForAnswer');
  assert.deepEqual([chat.tool('t1').plan?.text, chat.tool('t1').summary], [PLAN, 'Greet']);
  chat.apply({ type: 'askDrafted', cardId: card.id, draft: { words: 'half' } });
  chat.apply({ type: 'planReviewed', card: { ...card, edited: 'mine' } });
  const [now] = chat.state.asks;
  assert.ok(now?.kind === 'plan' && now.edited === 'mine' && now.draft?.words === 'half');
  chat.apply({ type: 'askSettled', cardId: card.id, outcome: 'answered' });
  assert.deepEqual(chat.state.asks, []);
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'User has approved' };
  chat.cli({
    ...{ type: 'user', message: { role: 'user', content: [result] } },
    tool_use_result: { plan: 'mine', planWasEdited: true },
  });
  const row = chat.tool('t1');
  assert.deepEqual([row.plan?.text, row.figure], ['mine', 'approved with your edits']);
});

test('a plan that was not approved keeps its text, and says so', () => {
  const chat = new Chat().prompt('go').cli({
    type: 'assistant',
    message: {
      id: 'm1',
      content: [{ type: 'tool_use', id: 't1', name: 'ExitPlanMode', input: { plan: PLAN } }],
    },
  });
  chat.apply(
    { type: 'askRequested', card: planCard() },
    { type: 'askSettled', cardId: 'pl1', outcome: 'declined', reason: 'too long' },
  );
  assert.deepEqual([chat.tool('t1').state, chat.tool('t1').result?.text], ['denied', 'too long']);
  const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }];
  chat.cli({ type: 'user', message: { role: 'user', content } });
  const row = chat.tool('t1');
  assert.deepEqual([row.state, row.figure, row.plan?.text], ['denied', 'not approved', PLAN]);
});

test('a kept card comes back whole', () => {
  const comments = [{ id: 'a', from: 1, to: 2, quote: 'q', text: 't', isGone: true }];
  const card = planCard({ edited: 'mine', shown: 'mine', comments, draft: { words: 'w' } });
  assert.deepEqual(askCardSchema.parse(JSON.parse(JSON.stringify(card))), card);
});

test('a plan is named by its first words, and its file by letters and digits of them', () => {
  assert.equal(planTitle('\n## Move the *cart*\n\nfirst'), 'Move the *cart*');
  assert.equal(planFileName('# Move the cart: step 2/3'), 'plan-move-the-cart-step-2-3.md');
  assert.equal(planFileName('Plan for tea'), 'plan-for-tea.md');
  assert.equal(planFileName('# 計画'), 'plan-計画.md');
  assert.equal(planFileName('../../etc'), 'plan-etc.md');
  assert.equal(planFileName('***'), 'plan.md');
  assert.ok(planFileName(`# ${'word '.repeat(50)}`).length < 80);
});

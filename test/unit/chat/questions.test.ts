import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDraft } from '../../../src/base/formField';
import { questionKeys } from '../../../src/chat/questionsProtocol';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import { questionsAnswer, tryCreateQuestionCard } from '../../../src/chat/questionCard';
import { parseInboundRequest } from '../../../src/protocol/controlRequests';
import { readTranscript } from './chatHarness';

const COLOR = {
  question: 'Which color?',
  header: 'Color',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold', preview: '[ blue ]' },
  ],
  multiSelect: false,
};
const SIZES = {
  question: 'Which sizes?',
  header: 'Size',
  options: ['S', 'M', 'L'].map((label) => ({ label, description: '' })),
  multiSelect: true,
};

function request(questions: unknown, more: object = {}): PermissionRequest {
  return { tool_name: 'AskUserQuestion', input: { questions, ...more }, tool_use_id: 't1' };
}

/** `updatedInput` of the answer; undefined where the draft is none. */
function answer(asked: PermissionRequest, draft: FormDraft): Record<string, unknown> | undefined {
  const card = tryCreateQuestionCard('r', asked);
  assert.ok(card);
  const result = questionsAnswer(asked, card, draft);
  return result?.behavior === 'allow' ? result.updatedInput : undefined;
}

const [first, second] = [questionKeys(0), questionKeys(1)];

test('the questions of the recorded wire are cards with every option', () => {
  const cards = readTranscript('chat-plan-questions').flatMap(({ dir, m }) => {
    if (dir !== 'in' || m.type !== 'control_request') return [];
    const parsed = parseInboundRequest(m.request);
    if (parsed.subtype !== 'can_use_tool' || parsed.tool_name !== 'AskUserQuestion') return [];
    return [tryCreateQuestionCard('r', parsed)];
  });
  assert.ok(cards.length > 3 && cards.every((card) => card !== undefined));
  assert.deepEqual(
    cards[0]?.questions[0]?.options.map(({ label }) => label),
    ['Red', 'Blue'],
  );
});

test('single, several and own words are answers by the text of the question, the input as it came', () => {
  const asked = request([COLOR, SIZES], { metadata: { source: 'x' } });
  const draft = { [first.chosen]: ['1'], [second.chosen]: ['2', '0'] };
  assert.deepEqual(answer(asked, draft), {
    questions: [COLOR, SIZES],
    metadata: { source: 'x' },
    answers: { 'Which color?': 'Blue', 'Which sizes?': 'S, L' },
  });
  const own = {
    [first.chosen]: ['1'],
    [first.usesOwn]: true,
    [first.own]: ' navy ',
    [second.chosen]: ['0'],
    [second.usesOwn]: true,
    [second.own]: 'XXL',
    [second.notes]: ' for a friend ',
  };
  assert.deepEqual(answer(asked, own), {
    questions: [COLOR, SIZES],
    metadata: { source: 'x' },
    answers: { 'Which color?': 'navy', 'Which sizes?': 'S, XXL' },
    annotations: { 'Which sizes?': { notes: 'for a friend' } },
  });
});

test('own words that are not chosen do not count, and each question needs an answer', () => {
  const asked = request([COLOR, SIZES]);
  const words = { [first.own]: 'navy', [second.chosen]: ['0'] };
  assert.equal(answer(asked, words), undefined);
  assert.deepEqual(answer(asked, { ...words, [first.chosen]: ['0'] })?.answers, {
    'Which color?': 'Red',
    'Which sizes?': 'S',
  });
  for (const bad of [['9'], ['-1'], ['x'], [], 'text', true] as const) {
    assert.equal(answer(request([COLOR]), { [first.chosen]: bad }), undefined, String(bad));
  }
});

test('the model reads its own labels, the person sees what hides in them', () => {
  const hidden = { ...COLOR, options: [{ label: 'Re\u200Bd', description: '' }] };
  const asked = request([hidden]);
  const card = tryCreateQuestionCard('r', asked);
  assert.equal(card?.questions[0]?.options[0]?.label, 'Re\\u200Bd');
  const given = answer(asked, { [first.chosen]: ['0'] });
  assert.deepEqual(given?.answers, { 'Which color?': 'Re\u200Bd' });
});

test('questions named like a property of every object are answered as any other', () => {
  const asked = request([{ ...COLOR, question: '__proto__' }]);
  assert.equal(
    JSON.stringify(answer(asked, { [first.chosen]: ['0'] })?.answers),
    '{"__proto__":"Red"}',
  );
});

test('what cannot be drawn as questions keeps the ordinary card', () => {
  const bad: readonly unknown[] = [
    undefined,
    'x',
    [],
    [null],
    [{ header: 'x' }],
    [{ ...COLOR, options: [5] }],
  ];
  for (const questions of bad)
    assert.equal(tryCreateQuestionCard('r', request(questions)), undefined);
  assert.equal(
    tryCreateQuestionCard('r', { tool_name: 'Bash', input: { questions: [COLOR] } }),
    undefined,
  );
  const free = tryCreateQuestionCard('r', request([{ question: 'Why?' }]));
  assert.deepEqual(free?.questions[0]?.options, []);
});

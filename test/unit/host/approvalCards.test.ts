import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalAnswer } from '../../../src/cli/workspaceApprovals';
import type { ServerApprovalCard } from '../../../src/chat/viewStateProtocol';
import { ApprovalCards } from '../../../src/host/approvalCards';

const value = { command: 'npx', args: ['-y', 'some\u202eserver'] };

function ask(cards: ApprovalCards, folder: string, name: string, over: object = {}) {
  const settled = new AbortController();
  const answers: ApprovalAnswer[] = [];
  const question = { folder, name, value, changed: false, signal: settled.signal, ...over };
  const done = cards.ask(question).then((answer) => answers.push(answer));
  return { settled, answers, done };
}

function servers(cards: ApprovalCards, folder: string): readonly ServerApprovalCard[] {
  return cards.of(folder).filter((card) => card.kind === 'server');
}

test('A question is a card of its folder, with the whole entry, until it is answered', async () => {
  const cards = new ApprovalCards();
  let changes = 0;
  cards.onDidChange(() => (changes += 1));
  const asked: string[] = [];
  cards.onDidAsk(({ kind, question }) => asked.push(kind === 'server' ? question.name : kind));
  const one = ask(cards, '/a', 'one');
  const two = ask(cards, '/a', 'two', { value: { type: 'http', url: 'https://x' }, changed: true });
  ask(cards, '/b', 'one');
  assert.deepEqual([asked, changes], [['one', 'two', 'one'], 3]);
  const [first, second] = servers(cards, '/a');
  assert.deepEqual(
    [first?.name, first?.bodyKind, first?.changed, second?.bodyKind, second?.changed],
    ['one', 'command', false, 'url', true],
  );
  assert.match(first?.body ?? '', /^npx -y .*some.*server/);
  assert.ok(!first?.body.includes('\u202e'), 'what cannot be seen is made visible');
  assert.equal(cards.of('/b').length, 1);
  assert.deepEqual(cards.of(undefined), []);
  cards.answer(first?.id ?? '', 'approve');
  cards.answer(first?.id ?? '', 'never');
  cards.answer('unknown', 'approve');
  await one.done;
  assert.deepEqual(one.answers, ['start']);
  assert.deepEqual(
    servers(cards, '/a').map(({ name }) => name),
    ['two'],
  );
  cards.answer(second?.id ?? '', 'later');
  await two.done;
  assert.deepEqual([two.answers, cards.of('/a')], [[undefined], []]);
});

test('The card of a folder in which no panel can work stands in each of them, and says where it is from', async () => {
  const cards = new ApprovalCards((folder) => ['/a', '/b'].includes(folder));
  const inner = ask(cards, '/a/packages/web', 'db');
  ask(cards, '/b', 'other');
  const names = (folder: string): readonly string[] =>
    servers(cards, folder).map(({ name }) => name);
  assert.deepEqual([names('/a'), names('/b')], [['db of web'], ['db of web', 'other']]);
  cards.answer(servers(cards, '/a')[0]?.id ?? '', 'approve');
  await inner.done;
  assert.deepEqual([inner.answers, names('/a')], [['start'], []]);
});

test('A question that is settled elsewhere, or whose window ends, leaves no card and has no answer', async () => {
  const cards = new ApprovalCards();
  const one = ask(cards, '/a', 'one');
  const two = ask(cards, '/a', 'two');
  one.settled.abort();
  await one.done;
  assert.deepEqual(
    [one.answers, servers(cards, '/a').map(({ name }) => name)],
    [[undefined], ['two']],
  );
  const late = ask(cards, '/a', 'three', { signal: AbortSignal.abort() });
  cards.dispose();
  await Promise.all([two.done, late.done]);
  assert.deepEqual([two.answers, late.answers, cards.of('/a')], [[undefined], [undefined], []]);
});

test('An answer to no card of ours settles nothing, whatever it is called', async () => {
  const cards = new ApprovalCards();
  const one = ask(cards, '/a', 'one');
  const [card] = servers(cards, '/a');
  for (const id of [
    'one',
    '/a',
    '',
    '__proto__',
    'constructor',
    'toString',
    `${card?.id ?? ''} `,
  ]) {
    cards.answer(id, 'approve');
    assert.equal(cards.find(id), undefined, id);
  }
  assert.deepEqual([one.answers, servers(cards, '/a').length], [[], 1]);
  cards.dispose();
  await one.done;
  assert.deepEqual(one.answers, [undefined]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { silentLogger } from '../../../src/base/logger';
import type { AskCard } from '../../../src/chat/askProtocol';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import { ControlRequestError } from '../../../src/cli/outboundCalls';
import { AskDesk } from '../../../src/conversation/askDesk';
import { formCard, planCard, questionCard } from '../chat/askFixture';
import { createBench, serverWith, simpleTool, textOf, until } from '../mcp/routerFixture';

function deskOf() {
  const events: ChatEvent[] = [];
  const done: string[] = [];
  const desk = new AskDesk({
    apply: (event) => events.push(event),
    titles: new Map<string, string>(),
    log: silentLogger,
    isLive: () => true,
    say: (prompt) => done.push(prompt),
    setMode: (mode) => {
      done.push(`mode ${mode}`);
      return Promise.resolve();
    },
  });
  return { desk, events, done };
}

const kept = (card: AskCard) => {
  const made = deskOf();
  made.desk.restore([card]);
  return made;
};
/** What follows a promise that is settled already. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const request = (plan: string) => ({ tool_name: 'ExitPlanMode', input: { plan } });

test('a card that waits hears the answer, whatever an earlier process has left under its id', async () => {
  const { desk, done } = kept(planCard({ id: 'r' }));
  const { signal } = new AbortController();
  const answer = desk.question('r', request('# New'), signal);
  desk.answer('r', { action: 'approve', acceptEdits: false });
  assert.deepEqual(await answer, { behavior: 'allow', updatedInput: { plan: '# New' } });
  assert.deepEqual(done, []);
  assert.equal(desk.kept, undefined);
});

test('a reply of another kind leaves each card as it is', async () => {
  const { desk, done } = kept(formCard());
  desk.restore([planCard(), questionCard()]);
  desk.answer('f1', { action: 'approve', acceptEdits: true });
  desk.answer('q1', { action: 'keepPlanning', words: 'no' });
  desk.answer('pl1', { action: 'accept', draft: {} });
  const waiting = desk.question('r', request('# New'), new AbortController().signal);
  desk.answer('r', { action: 'accept', draft: {} });
  assert.equal(desk.kept?.length, 4);
  desk.answer('r', { action: 'decline' });
  assert.equal((await waiting)?.behavior, 'deny');
  assert.deepEqual(done, []);
});

test('an interrupted plan is answered as the next message, an approval first leaves plan mode', async () => {
  const answered = async (reply: Parameters<AskDesk['answer']>[1], edited?: string) => {
    const { desk, done } = kept(planCard({ edited }));
    desk.answer('pl1', reply);
    await settled();
    assert.equal(desk.kept, undefined);
    return done;
  };
  const [mode, approved = ''] = await answered({ action: 'approve', acceptEdits: true });
  assert.equal(mode, 'mode acceptEdits');
  assert.match(approved, /answer your plan "Greet"\. I approve it\. Please carry it out\.$/);
  const [asks, mine = ''] = await answered({ action: 'approve', acceptEdits: false }, '# Mine');
  assert.equal(asks, 'mode default');
  assert.match(mine, /I approve it[^]*```markdown\n# Mine\n```$/);
  const refused = await answered({ action: 'keepPlanning', words: 'shorter' });
  assert.equal(refused.length, 1);
  assert.match(refused[0] ?? '', /I have not approved it[^]*What to change:\nshorter$/);
  assert.deepEqual(await answered({ action: 'decline' }), []);
});

test('interrupted questions keep what was chosen, and their answer is said', async () => {
  const { desk, done } = kept(questionCard());
  const left = (): number => desk.kept?.length ?? 0;
  desk.draft('q1', { '0': ['0'], '0/notes': 'soon' });
  assert.deepEqual(desk.kept?.[0]?.draft, { '0': ['0'], '0/notes': 'soon' });
  desk.answer('q1', { action: 'accept', draft: {} });
  assert.equal(left(), 1, 'nothing chosen is no answer');
  desk.answer('q1', { action: 'accept', draft: { '0': ['0'], '0/notes': 'soon' } });
  await settled();
  assert.match(done[0] ?? '', /- Which color\? Red \(soon\)\nPlease continue\.$/);
});

test('what is made of a plan lives as long as its card, through the end of the process', async () => {
  const { desk, events } = deskOf();
  const ending = new AbortController();
  const answer = desk.question('r', request('# P'), ending.signal);
  const comment = { id: 'c', from: 1, to: 1, quote: '# P', text: 'hm' };
  desk.reviewPlan('r', () => ({ edited: '# Q', comments: [comment] }));
  ending.abort(new ControlRequestError('closed', 'The agent has ended'));
  await assert.rejects(Promise.resolve(answer));
  const [card] = desk.kept ?? [];
  assert.ok(card?.kind === 'plan' && card.interrupted === true);
  assert.deepEqual([card.edited, card.comments], ['# Q', [comment]]);
  desk.reviewPlan('r', ({ comments }) => ({ edited: undefined, comments }));
  const [now] = desk.kept ?? [];
  assert.ok(now?.kind === 'plan' && now.edited === undefined && now.interrupted === true);
  const before = events.length;
  desk.reviewPlan('gone', () => ({ edited: 'x', comments: [] }));
  assert.equal(events.length, before);
});

test('a form whose answer the tool does not take comes back as it was left, and says why', async () => {
  const { desk, events } = deskOf();
  const asked = () =>
    events.flatMap((event) =>
      event.type === 'askRequested' && event.card.kind === 'form' ? [event.card] : [],
    );
  const tool = simpleTool('sign', async (_, { ask }) => {
    const name = z.string().refine((text) => text !== 'Bob', 'somebody else');
    const page = z.url({ protocol: /^https$/ });
    return JSON.stringify(await ask({ name, page }, 'Who signs?'));
  });
  const { call } = createBench([serverWith('x', tool)], { ask: (one) => desk.askForTool(one) });
  const answer = call('x', 'sign');
  await until(() => asked().length === 1);
  const draft = { '0': 'Bob', '1': 'ftp://x.test' };
  desk.answer(asked()[0]?.id ?? '', { action: 'accept', draft });
  await until(() => asked().length === 2);
  const [first, second] = asked();
  assert.notEqual(second?.id, first?.id);
  assert.deepEqual([first?.draft, second?.draft], [undefined, draft]);
  assert.equal(
    second?.message,
    [
      'Who signs?\n\nYour answer was not taken:',
      'name: expected somebody else, received string "Bob"',
      'page: expected url text, received string "ftp://x.test"',
    ].join('\n'),
  );
  const mended = { '0': 'Ann', '1': 'https://x.test' };
  desk.answer(second.id, { action: 'accept', draft: mended });
  const content = { name: 'Ann', page: 'https://x.test' };
  assert.equal(textOf(await answer), JSON.stringify({ action: 'accept', content }));
  assert.equal(desk.isAsking, false);
});

test('what a server of the CLI gets is its content alone', async () => {
  const { desk, events } = deskOf();
  const requested_schema = { properties: { to: { type: 'string' } } };
  const request = { subtype: 'elicitation', mcp_server_name: 'ext', requested_schema } as const;
  const answer = desk.elicit('r', request, new AbortController().signal);
  assert.equal(events[0]?.type, 'askRequested');
  desk.answer('r', { action: 'accept', draft: { '0': 'north' } });
  assert.deepEqual(await answer, { action: 'accept', content: { to: 'north' } });
});

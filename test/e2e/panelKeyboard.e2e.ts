import assert from 'node:assert/strict';
import { accessState } from '../harness/panelSandbox/accessStates';
import { filesCards } from '../harness/panelSandbox/approvalStates';
import { oneQuestion, smallForm } from '../harness/panelSandbox/askStates';
import { atMessage, byKeysFixture, set } from '../harness/panelSandbox/byKeys';
import { cardState, commandCard } from '../harness/panelSandbox/cardStates';
import { eventually } from '../harness/panelSandbox/eventually';
import { MESSAGE_KEYS } from '../harness/panelSandbox/keyTable';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { planCard } from '../harness/panelSandbox/planStates';
import { emptyState, streamingState } from '../harness/panelSandbox/states';
import { COMMANDS, MENTIONS } from '../harness/panelSandbox/suggestRows';

const { withPanel, message } = panelFixture();
const { byKeys, checkAllDone } = byKeysFixture(withPanel, MESSAGE_KEYS);

byKeys(
  'a message is written, sent, queued, steered and taken up again; the turn is stopped',
  ['send', 'breakLine', 'queue', 'steer', 'recall', 'stop'],
  emptyState,
  async (panel, hands) => {
    await hands.tabTo('textbox', 'Message');
    await hands.type('one');
    await hands.press('Shift+Enter');
    await hands.type('two');
    assert.equal(await message(panel).inputValue(), 'one\ntwo');
    const sends = async (key: string): Promise<void> => {
      const before = panel.sent('submit').length;
      await hands.press(key);
      await eventually(() => panel.sent('submit').length > before);
      const promptId = panel.sent('submit').at(-1)?.promptId ?? '';
      await panel.send({ type: 'submitted', promptId });
      await eventually(async () => (await message(panel).inputValue()) === '');
      await atMessage(hands);
    };
    await sends('Enter');
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'u1', text: 'one\ntwo' } });
    await set(panel, { status: { kind: 'working' } });
    await hands.type('three');
    await sends('Enter');
    await hands.type('four');
    await sends('Control+Enter');
    assert.deepEqual(
      panel.sent('submit').map(({ text, steers }) => [text, steers]),
      [
        ['one\ntwo', undefined],
        ['three', undefined],
        ['four', true],
      ],
    );
    await hands.press('ArrowUp');
    assert.equal(await message(panel).inputValue(), 'one\ntwo');
    await hands.press('Escape');
    await eventually(() => panel.sent('stop').length === 1);
    await atMessage(hands);
    await hands.enter('button', 'Stop');
    await eventually(() => panel.sent('stop').length === 2);
    await set(panel, { status: { kind: 'idle' } });
    await atMessage(hands);
    // The button that sends is off once all is sent.
    await hands.enter('button', 'Send');
    await eventually(() => panel.sent('submit').length === 4);
    await panel.send({ type: 'submitted', promptId: panel.sent('submit')[3]?.promptId ?? '' });
    await atMessage(hands);
  },
);

byKeys(
  'what waits is put in another order, edited, sent and removed',
  ['order', 'queued'],
  accessState('queue').state,
  async (panel, hands) => {
    const [a, b, c] = ['q1', 'q2', 'q3'].map((id) => ({ id, text: `message ${id}` }));
    assert.ok(a && b && c);
    await set(panel, { queue: [a, b, c] });
    const acts = async (action: string): Promise<void> => {
      await eventually(() => panel.sent('queue').at(-1)?.action === action);
    };
    await hands.enter('button', 'Move down');
    await acts('moveDown');
    await set(panel, { queue: [b, a, c] });
    await hands.at('button', 'Move down');
    await hands.press('Alt+ArrowUp');
    await acts('moveUp');
    await set(panel, { queue: [a, b, c] });
    await hands.at('button', 'Move down');
    await hands.enter('button', 'Send now');
    await acts('sendNow');
    await set(panel, { queue: [b, c] });
    await hands.at('button', 'Send now');
    await hands.enter('button', 'Remove');
    await acts('remove');
    await set(panel, { queue: [c] });
    await hands.at('button', 'Remove');
    await hands.enter('button', 'Edit', 'Shift+Tab');
    await acts('edit');
    await set(panel, { queue: [] });
    await panel.send({ type: 'insertText', text: c.text });
    await atMessage(hands);
    assert.equal(await message(panel).inputValue(), c.text);
  },
);

byKeys(
  'the last queued message that is removed, or sent by itself, leaves the focus in the message',
  ['queued'],
  () => ({ ...streamingState(), queue: [{ id: 'q1', text: 'one' }] }),
  async (panel, hands) => {
    await hands.enter('button', 'Remove');
    await eventually(() => panel.sent('queue').length === 1);
    await set(panel, { queue: [] });
    await atMessage(hands);
  },
);

byKeys(
  'mentions and commands are found and taken',
  ['mention', 'command'],
  emptyState,
  async (panel, hands) => {
    const suggested = async (rows: typeof MENTIONS): Promise<void> => {
      await eventually(() => panel.sent('suggest').length > 0);
      const queryId = panel.sent('suggest').at(-1)?.queryId ?? 0;
      const answer = { rows, notes: [], isPending: false };
      await panel.send({ type: 'suggestions', queryId, answer });
      await panel.page.getByRole('listbox').waitFor();
    };
    await hands.tabTo('textbox', 'Message');
    await hands.type('Look at @');
    await suggested(MENTIONS);
    await hands.press('ArrowDown', 'ArrowDown', 'ArrowUp');
    await hands.leadsTo('Problems');
    await atMessage(hands);
    await hands.press('Enter');
    await eventually(async () => (await message(panel).inputValue()) === 'Look at @problems ');
    await atMessage(hands);
    await hands.press('Control+a', 'Delete');
    await hands.type('/');
    await suggested(COMMANDS);
    await hands.press('ArrowDown');
    await hands.leadsTo('/context');
    await hands.press('Tab');
    await eventually(async () => (await message(panel).inputValue()) === '/context ');
    await atMessage(hands);
  },
);

byKeys(
  'files are attached and taken away, the selection goes along or not',
  ['attach', 'detach', 'selection'],
  accessState('selection').state,
  async (panel, hands) => {
    await hands.enter('button', 'Attach files…');
    await eventually(() => panel.sent('chooseFiles').length === 1);
    await hands.at('button', 'Attach files…');
    await accessState('attachments').prepare?.(panel);
    await hands.at('button', 'Attach files…');
    await hands.enter('button', 'Remove chart.png', 'Shift+Tab');
    await atMessage(hands);
    await eventually(() => panel.sent('detach').length === 1);
    await hands.tabTo('button', 'Selection: cart.ts:3-9', 'Shift+Tab');
    await hands.press('Space');
    await eventually(() => panel.sent('attachSelection').at(-1)?.isOn === false);
    const { selection } = accessState('selection').state();
    assert.ok(selection);
    await set(panel, { selection: { ...selection, isOn: false } });
    await hands.at('button', 'Selection: cart.ts:3-9');
    await set(panel, { selection: undefined });
    await atMessage(hands);
  },
);

byKeys(
  'requests are denied with a reason, allowed, and allowed for good',
  ['deny', 'allow', 'always'],
  () =>
    cardState(commandCard('c1'), commandCard('c2', 'npm run one'), commandCard('c3', 'npm two')),
  async (panel, hands) => {
    const answered = (count: number) => () => panel.sent('answerPermission').length === count;
    await hands.tabTo('textbox', 'Reason (optional)');
    await hands.type('not now');
    await hands.press('Enter');
    await eventually(answered(1));
    await set(panel, { permissions: [commandCard('c2', 'npm run one')] });
    await atMessage(hands);
    await hands.tabTo('button', 'Allow once', 'Shift+Tab');
    await hands.enterUntil(answered(2));
    await set(panel, { permissions: [commandCard('c3')] });
    await atMessage(hands);
    await hands.enter('button', 'Always allow…', 'Shift+Tab');
    await hands.at('listbox', 'Always allow');
    await hands.press('ArrowDown');
    await hands.press('Escape');
    await hands.at('button', 'Always allow…');
    await hands.press('Enter');
    await hands.at('listbox', 'Always allow');
    await hands.press('ArrowDown');
    await hands.enterUntil(answered(3));
    await hands.at('button', 'Always allow…');
    await set(panel, { permissions: [] });
    await atMessage(hands);
    assert.deepEqual(
      panel.sent('answerPermission').map(({ cardId, answer, reason }) => [cardId, answer, reason]),
      [
        ['c1', 'deny', 'not now'],
        ['c2', 'allowOnce', undefined],
        ['c3', 'alwaysProject', undefined],
      ],
    );
  },
);

byKeys(
  'a question is answered, a form filled in, a plan sent back and approved, tool files approved',
  ['question', 'form', 'plan', 'approval', 'leaveCard'],
  () => ({ ...accessState('question').state(), asks: [oneQuestion()] }),
  async (panel, hands) => {
    const replied = (count: number) => () => panel.sent('answerAsk').length === count;
    await hands.tabTo('radio', 'None');
    await hands.press('ArrowDown');
    await hands.at('radio', 'date-fns');
    await hands.press('Escape');
    await atMessage(hands);
    await hands.tabTo('radio', 'date-fns', 'Shift+Tab');
    await hands.press('Control+Enter');
    await eventually(replied(1));
    await set(panel, { asks: [smallForm()] });
    await atMessage(hands);
    await hands.tabTo('textbox', 'Ticket', 'Shift+Tab');
    await hands.type('4711');
    await hands.press('Control+Enter');
    await eventually(replied(2));
    await set(panel, { asks: [planCard()] });
    await atMessage(hands);
    await hands.tabTo('textbox', 'What to change (optional)', 'Shift+Tab');
    await hands.type('smaller steps');
    await hands.press('Enter');
    await eventually(replied(3));
    await set(panel, { asks: [planCard({ id: 'pl2' })] });
    await atMessage(hands);
    await hands.tabTo('button', 'Approve', 'Shift+Tab');
    await hands.enterUntil(replied(4));
    await set(panel, { asks: [], approvals: [filesCards.changed()] });
    await atMessage(hands);
    await hands.tabTo('button', 'Approve', 'Shift+Tab');
    await hands.enterUntil(() => panel.sent('answerApproval').length === 1);
    await set(panel, { approvals: [] });
    await atMessage(hands);
    const replies = panel.sent('answerAsk').map(({ cardId, reply }) => [cardId, reply.action]);
    assert.deepEqual(replies, [
      ['q1', 'accept'],
      ['f2', 'accept'],
      ['pl1', 'keepPlanning'],
      ['pl2', 'approve'],
    ]);
  },
);

checkAllDone();

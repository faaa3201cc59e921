import assert from 'node:assert/strict';
import { accessState } from '../harness/panelSandbox/accessStates';
import { atMessage, byKeysFixture, set } from '../harness/panelSandbox/byKeys';
import { eventually } from '../harness/panelSandbox/eventually';
import { changedFiles } from '../harness/panelSandbox/galleryStates';
import { TALK_KEYS } from '../harness/panelSandbox/keyTable';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { noCli, setUpState } from '../harness/panelSandbox/setUpStates';
import { emptyState, errorState, streamingState } from '../harness/panelSandbox/states';
import { sideAnswer, talkState } from '../harness/panelSandbox/talkStates';

const { withPanel, message } = panelFixture();
const { byKeys, checkAllDone } = byKeysFixture(withPanel, TALK_KEYS);

byKeys('it is found in the conversation', ['find'], streamingState, async (panel, hands) => {
  await hands.tabTo('textbox', 'Message');
  await hands.press('Control+f');
  await hands.at('textbox', 'Find');
  await hands.type('total');
  const count = panel.page.getByRole('search').getByRole('status');
  await eventually(async () => /^\d+ of \d+$/.test(await count.innerText()));
  const first = await count.innerText();
  await hands.press('Enter');
  await eventually(async () => (await count.innerText()) !== first);
  await hands.press('Shift+Enter');
  await eventually(async () => (await count.innerText()) === first);
  await hands.enter('button', 'Previous match');
  await eventually(async () => (await count.innerText()) !== first);
  await hands.at('button', 'Previous match');
  await hands.press('Escape');
  await atMessage(hands);
  assert.equal(panel.sent('stop').length, 0);
});

byKeys(
  'a past conversation is searched, renamed, deleted, brought back and gone on with',
  ['resume', 'rename', 'remove'],
  emptyState,
  async (panel, hands) => {
    const rows = ['Rounding', 'Totals', 'Receipts'].map((title, n) => ({
      ...{ sessionId: `s${n}`, title, changedAt: Date.now() - (n + 1) * 3_600_000 },
    }));
    const [first, ...rest] = rows;
    assert.ok(first);
    await hands.enter('button', 'Conversations');
    await hands.at('searchbox', 'Search conversations');
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows } });
    await hands.leadsTo('Rounding');
    await hands.enter('button', 'Rename: Rounding');
    await hands.at('textbox', 'Title');
    await hands.type('Rounding of prices');
    await hands.press('Enter');
    await eventually(() => panel.sent('renameConversation').length === 1);
    await hands.at('searchbox', 'Search conversations');
    await hands.enter('button', 'Delete: Rounding');
    await eventually(() => panel.sent('deleteConversation').length === 1);
    await hands.at('searchbox', 'Search conversations');
    const answer = { kind: 'list', rows: rest, deleted: first } as const;
    await panel.send({ type: 'conversations', answer });
    await hands.enter('button', 'Undo');
    await eventually(() => panel.sent('undeleteConversation').length === 1);
    await hands.at('searchbox', 'Search conversations');
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows } });
    await hands.type('o');
    await hands.press('ArrowDown');
    await hands.leadsTo('Totals');
    await hands.press('Enter');
    await eventually(() => panel.sent('openConversation').at(-1)?.sessionId === 's1');
    await hands.at('button', 'Conversations');
  },
);

byKeys(
  'a conversation is brought back after the dialog was closed',
  ['remove'],
  talkState,
  async (panel, hands) => {
    await accessState('deleted').prepare?.(panel);
    await hands.enter('button', 'Undo');
    await eventually(() => panel.sent('undeleteConversation').length === 1);
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: [] } });
    await atMessage(hands);
  },
);

byKeys(
  'messages are said in other words, had anew, forked, copied, quoted',
  ['edit', 'retry', 'fork', 'copy'],
  talkState,
  async (panel, hands) => {
    await hands.enter('button', 'Copy');
    await eventually(() => panel.sent('copy').length === 1);
    await hands.at('button', 'Copy');
    await hands.enter('button', 'Fork from here');
    await eventually(() => panel.sent('forkHere').length === 1);
    await hands.at('button', 'Fork from here');
    await hands.enter('button', 'Edit', 'Shift+Tab');
    await hands.at('textbox', 'Edit message');
    await hands.press('Escape');
    await hands.at('button', 'Edit');
    await hands.press('Enter');
    await hands.at('textbox', 'Edit message');
    await hands.type(' In cents?');
    await hands.enter('button', 'Resend');
    await eventually(() => panel.sent('editPrompt').length === 1);
    await hands.at('button', 'Resend');
    const promptId = panel.sent('editPrompt')[0]?.promptId ?? '';
    await panel.send({ type: 'edited', promptId, refused: 'A turn runs.' });
    await hands.at('button', 'Resend');
    await hands.press('Enter');
    await eventually(() => panel.sent('editPrompt').length === 2);
    // It goes on in a fork, which is another conversation.
    await panel.snapshot({ ...talkState(), items: talkState().items.slice(2) });
    await hands.at('log', 'Conversation');
    await hands.enter('button', 'Retry');
    await eventually(() => panel.sent('retryAnswer').length === 1);
    await set(panel, { status: { kind: 'working' } });
    await hands.at('log', 'Conversation');
    await hands.enter('button', 'Quote');
    await atMessage(hands);
    assert.match(await message(panel).inputValue(), /^> Do that in orderTotal/);
  },
);

byKeys(
  'an answer is pinned, gone back to and unpinned; the own messages are gone through',
  ['pin', 'prompts'],
  talkState,
  async (panel, hands) => {
    const { page } = panel;
    await hands.enter('button', 'Pin');
    await hands.at('button', 'Unpin');
    const words = 'Each price is rounded before they are added. Round the sum instead.';
    await hands.tabTo('textbox', 'Message');
    await hands.enter('button', words, 'Shift+Tab');
    await hands.at('article', 'Claude');
    await hands.tabTo('button', words, 'Shift+Tab');
    await hands.press('Tab', 'Enter');
    await page.getByRole('list', { name: 'Pinned answers' }).waitFor({ state: 'detached' });
    await atMessage(hands);
    await hands.press('Alt+ArrowDown');
    await hands.at('article', 'You');
    await hands.press('Alt+ArrowUp');
    await eventually(() =>
      page.locator('[data-item="u1"]').evaluate((one) => one.matches(':focus')),
    );
  },
);

byKeys(
  'rows are unfolded, code copied, names followed',
  ['unfold', 'code', 'symbol'],
  streamingState,
  async (panel, hands) => {
    await hands.enter('button', 'Find references, done');
    const row = panel.page.getByRole('button', { name: 'Find references, done' });
    await eventually(async () => (await row.getAttribute('aria-expanded')) === 'true');
    await hands.at('button', 'Find references, done');
    await eventually(() => panel.sent('findSymbols').length > 0);
    await panel.send({ type: 'symbols', found: [{ name: 'calcTotal', count: 1 }] });
    await hands.enter('link', 'calcTotal');
    await eventually(() => panel.sent('openSymbol').length === 1);
    await hands.enter('button', 'Wrap lines');
    await hands.at('button', 'Wrap lines');
    await hands.enter('button', 'Insert at the cursor');
    await hands.enter('button', 'Open as a new file');
    await hands.enter('button', 'Copy code');
    await hands.at('button', 'Copy code');
    await eventually(() => panel.sent('copy').length === 1);
    assert.match(panel.sent('copy')[0]?.text ?? '', /^export function summary/);
    assert.deepEqual([panel.sent('insertCode').length, panel.sent('openCode').length], [1, 1]);
  },
);

byKeys(
  'the end is gone to after reading back',
  ['latest'],
  accessState('scrolled-back').state,
  async (panel, hands) => {
    const jump = panel.page.getByRole('button', { name: 'Jump to latest', exact: true });
    const isThere = async (wanted: boolean, key: string): Promise<void> => {
      await eventually(async () => {
        if (((await jump.count()) === 1) !== wanted) await hands.press(key);
        return ((await jump.count()) === 1) === wanted;
      });
    };
    await hands.tabTo('log', 'Conversation');
    await isThere(true, 'PageUp');
    await isThere(false, 'End');
    await hands.at('log', 'Conversation');
    await isThere(true, 'PageUp');
    // Forwards Tab would go through all of the answer, which is the end, too.
    await hands.tabTo('textbox', 'Message', 'Shift+Tab');
    await hands.enter('button', 'Jump to latest', 'Shift+Tab');
    await jump.waitFor({ state: 'detached' });
    await atMessage(hands);
  },
);

byKeys(
  'menu, pickers and usage',
  ['menu', 'pickers', 'usage'],
  () => ({ ...accessState('folder-picker').state(), usage: accessState('work').state().usage }),
  async (panel, hands) => {
    await hands.enter('button', 'More actions');
    await hands.at('menuitem', 'Find in conversation');
    await hands.press('ArrowUp');
    await hands.at('menuitem', 'All commands…');
    await hands.press('Escape');
    await hands.at('button', 'More actions');
    await hands.press('Enter');
    await hands.press('e');
    await hands.at('menuitem', 'Export conversation…');
    await hands.press('Enter');
    await eventually(() => panel.sent('menu').at(-1)?.command === 'exportConversation');
    await hands.at('button', 'More actions');
    for (const [button, list] of [
      ['Folder: shop', 'Folder'],
      ['Model: Opus', 'Model'],
      ['Permission mode: Ask', 'Permission mode'],
    ] as const) {
      await hands.enter('button', button);
      await hands.at('listbox', list);
      await hands.press('ArrowDown', 'Enter');
      await hands.at('button', button);
    }
    await eventually(() => panel.sent('setMode').length === 1);
    assert.deepEqual(panel.sent('chooseFolder').length + panel.sent('setModel').length, 2);
    await hands.enter('button', 'Usage: 62k · $0.18');
    await panel.page.getByText('Cost of the conversation').waitFor();
    await hands.press('Escape');
    await hands.at('button', 'Usage: 62k · $0.18');
    assert.equal(await panel.page.getByText('Cost of the conversation').count(), 0);
  },
);

byKeys(
  'something is asked beside the conversation, and a task stopped',
  ['side', 'task'],
  () => ({ ...streamingState(), tasks: accessState('tasks').state().tasks ?? [] }),
  async (panel, hands) => {
    await hands.tabTo('textbox', 'Message');
    await hands.type('/btw why?');
    await hands.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    await panel.send({ type: 'submitted', promptId: panel.sent('submit')[0]?.promptId ?? '' });
    await set(panel, { side: [sideAnswer] });
    await atMessage(hands);
    await hands.enter('button', 'Copy answer', 'Shift+Tab');
    await eventually(() => panel.sent('copy').length === 1);
    await hands.press('Escape');
    await eventually(() => panel.sent('dismissSide').length === 1);
    await atMessage(hands);
    await set(panel, { side: undefined });
    assert.equal(panel.sent('stop').length, 0);
    await hands.enter('button', 'Stop Serve the docs', 'Shift+Tab');
    await eventually(() => panel.sent('task').length === 1);
    await set(panel, { tasks: (accessState('tasks').state().tasks ?? []).slice(1) });
    await hands.at('button', 'Stop Find callers');
    await set(panel, { tasks: [] });
    await atMessage(hands);
  },
);

byKeys(
  'changed files are reviewed, undone, had again and kept, and the focus stays beside what goes',
  ['changes'],
  () => ({ ...streamingState(), changes: { files: changedFiles } }),
  async (panel, hands) => {
    const undone = { id: 'u1', count: 1, path: 'src/report.ts' };
    const [first, ...rest] = changedFiles;
    await hands.tabTo('textbox', 'Message');
    await hands.enter('button', '6 files changed +27 −12', 'Shift+Tab');
    await panel.page.getByRole('list', { name: 'Changed files' }).waitFor();
    await hands.tabTo('button', 'Keep all');
    await hands.press('Tab');
    await hands.at('button', 'Review');
    await hands.press('Enter');
    await eventually(() => panel.sent('changes').length === 1);
    await hands.enter('button', 'Undo');
    await eventually(() => panel.sent('changes').length === 2);
    await set(panel, { changes: { files: rest, undone } });
    await hands.at('button', 'Undo');
    await hands.enter('button', 'Redo');
    await set(panel, { changes: { files: changedFiles } });
    await atMessage(hands);
    await hands.enter('button', 'Keep all', 'Shift+Tab');
    await set(panel, { changes: undefined });
    await atMessage(hands);
    const named = panel.sent('changes').map(({ action, ids }) => [action, ids.length, ids[0]]);
    assert.deepEqual(named, [
      ['review', 1, first?.id],
      ['undo', 1, first?.id],
      ['redo', 1, 'u1'],
      ['keep', 6, first?.id],
    ]);
  },
);

byKeys(
  'an error is tried again, and what goes by itself takes no focus with it',
  ['again'],
  errorState,
  async (panel, hands) => {
    await hands.enter('button', 'Retry');
    await eventually(() => panel.sent('retry').length === 1);
    await panel.patch({ op: 'removeItem', id: 'e1' });
    await atMessage(hands);
  },
);

byKeys(
  'what is missing at first use is checked again, and goes by itself',
  ['setUp'],
  () => setUpState(noCli),
  async (panel, hands) => {
    await hands.enter('button', 'Check again');
    await eventually(() => panel.sent('checkSetUp').length === 1);
    await hands.at('button', 'Check again');
    await set(panel, { setUp: undefined });
    await atMessage(hands);
  },
);

checkAllDone();

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationRow, ConversationsAnswer } from '../../src/chat/conversationsProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const HOUR = 3_600_000;
const row = (n: number, more: Partial<ConversationRow> = {}): ConversationRow => ({
  sessionId: `session-${n}`,
  title: `Talk number ${n}`,
  changedAt: Date.now() - n * HOUR,
  ...more,
});
const ROWS: readonly ConversationRow[] = [
  row(1, { title: 'Rounding of prices', about: 'why is the total off by a cent?', open: 'here' }),
  row(2, { title: 'حوار عن الأسعار' }),
  row(3, { title: 'x'.repeat(300), open: 'elsewhere' }),
  row(4, { title: 'Add a test for the total' }),
];

const dialog = (panel: SandboxPanel) =>
  panel.page.getByRole('dialog', { name: 'Conversations', exact: true });
const search = (panel: SandboxPanel) =>
  panel.page.getByRole('searchbox', { name: 'Search conversations', exact: true });
const list = (panel: SandboxPanel) =>
  dialog(panel).getByRole('listbox', { name: 'Conversations', exact: true });
const button = (panel: SandboxPanel) =>
  panel.page.getByRole('button', { name: 'Conversations', exact: true });

/** Opens the dialog by its button, and answers its question. */
async function open(
  panel: SandboxPanel,
  answer: ConversationsAnswer = { kind: 'list', rows: ROWS },
): Promise<void> {
  const before = panel.sent('listConversations').length;
  await button(panel).click();
  await eventually(() => panel.sent('listConversations').length === before + 1);
  await panel.send({ type: 'conversations', answer });
}

/** The title of the row that the search box points to. */
async function pointedAt(panel: SandboxPanel): Promise<string | null> {
  const id = (await search(panel).getAttribute('aria-activedescendant')) ?? '';
  const chosen = panel.page.locator(`[role="option"][id="${id}"][aria-selected="true"]`);
  return chosen.locator('.conversations-title').textContent();
}

test('the button opens the past conversations, keys move in them, Enter opens one', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    await list(panel).waitFor();
    assert.equal(await button(panel).getAttribute('aria-expanded'), 'true');
    assert.ok(await search(panel).evaluate((box) => box === document.activeElement));
    assert.equal(await list(panel).getByRole('option').count(), ROWS.length);
    assert.equal(await pointedAt(panel), ROWS[0]?.title);
    for (const [key, index] of [
      ['ArrowUp', 0],
      ['ArrowDown', 1],
      ['PageDown', 3],
      ['ArrowDown', 3],
    ] as const) {
      await panel.page.keyboard.press(key);
      assert.equal(await pointedAt(panel), ROWS[index]?.title, key);
    }
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('openConversation').length === 1);
    assert.equal(panel.sent('openConversation')[0]?.sessionId, 'session-4');
    await dialog(panel).waitFor({ state: 'detached' });
  });
});

test('a list that comes anew leaves the row that was moved to chosen, wherever it stands by then', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await panel.page.keyboard.press(key);
    }
    assert.equal(await pointedAt(panel), ROWS[3]?.title);
    const rows = [row(9, { title: 'The newest' }), ...ROWS];
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows } });
    await eventually(async () => (await list(panel).getByRole('option').count()) === 5);
    assert.equal(await pointedAt(panel), ROWS[3]?.title);
    // Where it went the next one has its place.
    const left = rows.filter(({ sessionId }) => sessionId !== 'session-4');
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: left } });
    await eventually(async () => (await pointedAt(panel)) === ROWS[2]?.title);
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('openConversation').length === 1);
    assert.equal(panel.sent('openConversation')[0]?.sessionId, 'session-3');
  });
});

test('a search narrows them down as it is typed, and says so where nothing fits', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    await panel.page.keyboard.type('total');
    await eventually(async () => (await list(panel).getByRole('option').count()) === 2);
    assert.equal(await pointedAt(panel), ROWS[0]?.title);
    await panel.page.keyboard.type(' zebra');
    await dialog(panel).getByText('No conversation has “total zebra”.').waitFor();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(panel.sent('openConversation'), []);
    await search(panel).fill('test total');
    await list(panel).getByText('Add a test for the total').click();
    await eventually(() => panel.sent('openConversation').length === 1);
    assert.equal(panel.sent('openConversation')[0]?.sessionId, 'session-4');
  });
});

test('one that is said to be open here is asked for too: the list may be that of the last time', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    const [here] = ROWS;
    assert.equal(here?.open, 'here');
    await list(panel).getByText('Rounding of prices').click();
    await dialog(panel).waitFor({ state: 'detached' });
    await eventually(() => panel.sent('openConversation').length === 1);
    assert.equal(panel.sent('openConversation')[0]?.sessionId, here.sessionId);
  });
});

test('Escape closes the dialog and stops no turn, a press elsewhere closes it too', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    await open(panel);
    await panel.page.keyboard.press('Escape');
    await dialog(panel).waitFor({ state: 'detached' });
    assert.deepEqual(panel.sent('stop'), []);
    assert.ok(await button(panel).evaluate((one) => one === document.activeElement));
    await open(panel);
    await message(panel).click();
    await dialog(panel).waitFor({ state: 'detached' });
    assert.ok(await message(panel).evaluate((box) => box === document.activeElement));
  });
});

test('until they are there, where there are none, and where they cannot be read, it says so', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await button(panel).click();
    await dialog(panel).getByText('Looking for conversations…').waitFor();
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: [] } });
    await dialog(panel).getByText('There are no conversations in this folder yet.').waitFor();
    const reason = 'The conversations could not be read: no permission';
    await panel.send({ type: 'conversations', answer: { kind: 'failed', reason } });
    await dialog(panel).getByText(reason).waitFor();
  });
});

test('of ten thousand a hundred are drawn, and all are found', async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => row(n));
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel, { kind: 'list', rows });
    await dialog(panel).getByText('100 of 10000 are shown: type to find others.').waitFor();
    assert.equal(await list(panel).getByRole('option').count(), 100);
    await panel.page.keyboard.type('number 9999');
    await eventually(async () => (await list(panel).getByRole('option').count()) === 1);
    assert.equal(await pointedAt(panel), 'Talk number 9999');
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`in ${theme} at 300 px it fits, with targets of 24 px and nothing for axe`, async () => {
    await withPanel(emptyState(), { theme, width: 300 }, async (panel) => {
      await open(panel);
      await list(panel).waitFor();
      assert.equal(await overflows(panel), false);
      const heights = await list(panel)
        .getByRole('option')
        .evaluateAll((options) => options.map((option) => option.getBoundingClientRect().height));
      assert.ok(heights.every((height) => height >= 24));
      const box = await dialog(panel).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 300, JSON.stringify(box));
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  });
}

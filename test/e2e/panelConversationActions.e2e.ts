import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationRow } from '../../src/chat/conversationsProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState } from '../harness/panelSandbox/states';

const { withPanel, overflows } = panelFixture();

const row = (n: number, more: Partial<ConversationRow> = {}): ConversationRow => ({
  sessionId: `session-${n}`,
  title: `Talk ${n}`,
  changedAt: Date.now() - n * 3_600_000,
  ...more,
});
const ROWS = [row(1, { open: 'here' }), row(2), row(3, { about: 'what it began with' })];

const dialog = (panel: SandboxPanel) =>
  panel.page.getByRole('dialog', { name: 'Conversations', exact: true });
const search = (panel: SandboxPanel) =>
  dialog(panel).getByRole('searchbox', { name: 'Search conversations', exact: true });
const button = (panel: SandboxPanel, name: string) =>
  dialog(panel).getByRole('button', { name, exact: true });
const title = (panel: SandboxPanel) =>
  dialog(panel).getByRole('textbox', { name: 'Title', exact: true });
const isFocused = (locator: ReturnType<typeof search>) =>
  locator.evaluate((one) => one === document.activeElement);

async function open(panel: SandboxPanel): Promise<void> {
  await panel.page.getByRole('button', { name: 'Conversations', exact: true }).click();
  await eventually(() => panel.sent('listConversations').length === 1);
  await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS } });
  await dialog(panel).getByRole('option').first().waitFor();
}

test('the active row has its buttons, by keys and by pointer', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    const names = () =>
      dialog(panel)
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.deepEqual(await names(), ['Rename: Talk 1', 'Delete: Talk 1']);
    await panel.page.keyboard.press('ArrowDown');
    await button(panel, 'Open in a tab: Talk 2').waitFor();
    await panel.page.keyboard.press('Tab');
    assert.ok(await isFocused(button(panel, 'Open in a tab: Talk 2')));
    await panel.page.keyboard.press('Enter');
    await dialog(panel).waitFor({ state: 'detached' });
    assert.deepEqual(panel.sent('openConversation'), [
      { type: 'openConversation', sessionId: 'session-2', inTab: true },
    ]);
  });
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    await dialog(panel).getByRole('option').nth(2).hover();
    const over = await button(panel, 'Delete: Talk 3').boundingBox();
    const under = await dialog(panel).getByRole('option').nth(2).boundingBox();
    assert.ok(over && under && over.y >= under.y - 1 && over.y < under.y + under.height);
  });
});

test('Rename turns the row into a box, Enter gives the title, Escape leaves all as it is', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    await open(panel);
    await button(panel, 'Rename: Talk 1').click();
    assert.equal(await title(panel).inputValue(), 'Talk 1');
    await panel.page.keyboard.type('Never mind');
    await panel.page.keyboard.press('Escape');
    await title(panel).waitFor({ state: 'detached' });
    assert.ok(await isFocused(search(panel)), 'the dialog is still there');
    await button(panel, 'Rename: Talk 1').click();
    await panel.page.keyboard.type('Rounding');
    await title(panel).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true });
    assert.deepEqual(panel.sent('renameConversation'), []);
    // The pointer crosses other rows meanwhile.
    await dialog(panel).getByRole('option').nth(2).hover();
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('renameConversation').length === 1);
    assert.deepEqual(panel.sent('renameConversation'), [
      { type: 'renameConversation', sessionId: 'session-1', title: 'Rounding' },
    ]);
    assert.deepEqual(panel.sent('openConversation'), []);
    assert.deepEqual(panel.sent('stop'), []);
  });
});

test('Delete tells what went and offers Undo, the focus stays in the dialog', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    await panel.page.keyboard.press('ArrowDown');
    await button(panel, 'Delete: Talk 2').press('Enter');
    await eventually(() => panel.sent('deleteConversation').length === 1);
    assert.equal(panel.sent('deleteConversation')[0]?.sessionId, 'session-2');
    const deleted = { sessionId: 'session-2', title: 'Talk 2' };
    const rows = ROWS.filter(({ sessionId }) => sessionId !== 'session-2');
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows, deleted } });
    await dialog(panel).getByRole('status').getByText('Deleted: Talk 2').waitFor();
    assert.ok(await isFocused(search(panel)));
    await button(panel, 'Undo').click();
    await eventually(() => panel.sent('undeleteConversation').length === 1);
    assert.ok(await isFocused(search(panel)));
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS } });
    await dialog(panel).getByText('3 conversations').waitFor();
    assert.equal(await button(panel, 'Undo').count(), 0);
  });
});

test('what was not done is said in the place of the count', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await open(panel);
    const problem = 'It is open in another tab: close that first.';
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS, problem } });
    await dialog(panel).getByRole('status').getByText(problem).waitFor();
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`in ${theme} at 300 px the buttons and the box fit, with nothing for axe`, async () => {
    await withPanel(emptyState(), { theme, width: 300 }, async (panel) => {
      await open(panel);
      const deleted = { sessionId: 'x', title: 'a long title of a talk '.repeat(6) };
      await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS, deleted } });
      await button(panel, 'Undo').waitFor();
      for (const one of await dialog(panel).getByRole('button').all()) {
        const box = await one.boundingBox();
        assert.ok(box && box.width >= 24 && box.height >= 24 && box.x + box.width <= 300);
      }
      assert.equal(await overflows(panel), false);
      assert.deepEqual(await axeFindings(panel.page), []);
      await button(panel, 'Rename: Talk 1').click();
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  });
}

test('what was deleted can be brought back after the dialog was closed, too', async () => {
  await withPanel(emptyState(), { width: 300 }, async (panel) => {
    await open(panel);
    await button(panel, 'Delete: Talk 1').click();
    await eventually(() => panel.sent('deleteConversation').length === 1);
    const deleted = { sessionId: 'session-1', title: 'Talk 1' };
    const rows = ROWS.slice(1);
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows, deleted } });
    await dialog(panel).getByText('Deleted: Talk 1').waitFor();
    const note = panel.page.getByRole('group', { name: 'Deleted conversation', exact: true });
    assert.equal(await note.count(), 0, 'the dialog says it');
    await panel.page.keyboard.press('Escape');
    await note.getByText('Deleted: Talk 1').waitFor();
    assert.equal(await overflows(panel), false);
    assert.deepEqual(await axeFindings(panel.page), []);
    await note.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(() => panel.sent('undeleteConversation').length === 1);
    assert.equal(panel.sent('undeleteConversation')[0]?.sessionId, 'session-1');
    const problem = 'This conversation is not on the disk any more.';
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows, problem } });
    await note.getByText(problem).waitFor();
    await note.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows: ROWS } });
    await note.waitFor({ state: 'detached' });
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modeOptions } from '../../src/conversation/pickerOptions';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState } from '../harness/panelSandbox/states';
import type { PermissionMode } from '../../src/rules/modes';

const { withPanel, message, overflows } = panelFixture();

const options = (mode: PermissionMode, refused: readonly (readonly [string, string])[] = []) =>
  modeOptions(mode, new Map(refused), true);

test('a mode that changes while the focus is elsewhere is announced once, and its button says it', async () => {
  const state = { ...emptyState(), mode: 'default', modes: options('default') };
  await withPanel(state, {}, async (panel) => {
    const { page } = panel;
    const polite = page.locator('[data-live="polite"] div');
    await message(panel).focus();
    await panel.patch({ op: 'set', fields: { mode: 'plan', modes: options('plan') } });
    await page.getByRole('button', { name: 'Permission mode: Plan', exact: true }).waitFor();
    const said = polite.getByText('Permission mode: Plan', { exact: true });
    await said.waitFor({ state: 'attached' });
    await panel.patch({ op: 'set', fields: { title: 'A title' } });
    await page.getByRole('heading', { name: 'A title' }).waitFor();
    assert.deepEqual(await polite.allTextContents(), ['Permission mode: Plan']);
    assert.equal(await message(panel).evaluate((e) => e === document.activeElement), true);
    await page.keyboard.press('Shift+Tab');
    assert.equal(await message(panel).evaluate((e) => e === document.activeElement), false);
  });
});

test('the modes stand in the list with what they do, in all themes and in a narrow panel', async () => {
  const reason = 'The agent does not take this mode as root.';
  const modes = options('dontAsk', [['bypassPermissions', reason]]);
  const state = { ...emptyState(), mode: 'dontAsk', modes };
  for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
    await withPanel(state, { theme, width: 300, height: 800 }, async (panel) => {
      const { page } = panel;
      await page.getByRole('button', { name: 'Permission mode: Never ask', exact: true }).click();
      const rows = page.getByRole('option');
      await eventually(async () => (await rows.count()) === 6);
      assert.match((await rows.allInnerTexts()).join('\n'), /Never ask[^]*as root\./);
      assert.equal(await rows.last().getAttribute('aria-disabled'), 'true');
      assert.deepEqual(await axeFindings(page), []);
      assert.equal(await overflows(panel), false);
    });
  }
});

test('a list that becomes shorter while it is open points to a row that is there', async () => {
  const state = emptyState();
  await withPanel(state, {}, async (panel) => {
    const list = panel.page.getByRole('listbox', { name: 'Model', exact: true });
    await panel.page.getByRole('button', { name: /^Model/ }).click();
    await list.waitFor();
    await panel.page.keyboard.press('End');
    await panel.patch({ op: 'set', fields: { models: state.models.slice(0, 2) } });
    await eventually(async () => (await list.getByRole('option').count()) === 2);
    const id = (await list.getAttribute('aria-activedescendant')) ?? '';
    assert.equal(await list.locator(`[id="${id}"]`).count(), 1);
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('setModel').length === 1);
    assert.equal(panel.sent('setModel')[0]?.model, state.models[0]?.id);
  });
});

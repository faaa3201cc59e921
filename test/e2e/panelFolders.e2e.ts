import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { foldersState } from '../harness/panelSandbox/setUpStates';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

test('with several folders a new conversation lets choose its own, by keyboard too', async () => {
  await withPanel(foldersState(), { width: 300 }, async (panel) => {
    const { page } = panel;
    const button = page.getByRole('button', { name: 'Folder: shop', exact: true });
    await button.focus();
    await page.keyboard.press('ArrowDown');
    const list = page.getByRole('listbox', { name: 'Folder', exact: true });
    await list.waitFor();
    const rows = await list.getByRole('option').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split('\n')[0]?.trim()),
      ['As in the editor', 'shop', 'docs'],
    );
    assert.deepEqual(await axeFindings(page), []);
    assert.equal(await overflows(panel), false);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await eventually(() => panel.sent('chooseFolder').length === 1);
    assert.equal(panel.sent('chooseFolder')[0]?.path, '/home/me/docs');
    const chosen = { ...foldersState().folders!, chosen: '/home/me/docs' };
    const folder = { name: 'docs', path: '/home/me/docs' };
    await panel.patch({ op: 'set', fields: { folders: chosen, folder } });
    await page.getByRole('button', { name: 'Folder: docs', exact: true }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await eventually(() => panel.sent('chooseFolder').length === 2);
    assert.equal(panel.sent('chooseFolder')[1]?.path, undefined, 'the editor is followed again');
  });
});

test('once something was said the folder is only shown, and with one folder there is no choice', async () => {
  await withPanel(foldersState(), {}, async (panel) => {
    const { page } = panel;
    const picker = page.getByRole('button', { name: /^Folder: / });
    await picker.waitFor();
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'u1', text: 'hello' } });
    await picker.waitFor({ state: 'detached' });
    await page.locator('.status-line').getByText('shop').waitFor();
  });
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).waitFor();
    assert.equal(await panel.page.getByRole('button', { name: /^Folder: / }).count(), 0);
  });
});

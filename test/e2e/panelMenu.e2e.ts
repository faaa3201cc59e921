import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { streamingState } from '../harness/panelSandbox/states';

const { withPanel, overflows } = panelFixture();

const button = ({ page }: SandboxPanel) =>
  page.getByRole('button', { name: 'More actions', exact: true });
const menu = ({ page }: SandboxPanel) =>
  page.getByRole('menu', { name: 'More actions', exact: true });
const focused = ({ page }: SandboxPanel) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? '');

test('More actions is a menu of the panel, whole at 300 px, each row with its name', async () => {
  await withPanel(streamingState(), { width: 300 }, async (panel) => {
    assert.equal(await button(panel).getAttribute('aria-haspopup'), 'menu');
    await button(panel).click();
    await menu(panel).waitFor();
    const names = await menu(panel).getByRole('menuitem').allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.trim()),
      [
        'Find in conversation',
        'Collapse all',
        'Export conversation…',
        'New conversation in an editor tab',
        'MCP servers',
        'Tools',
        'What would happen?',
        'Show wire inspector',
        'Run doctor',
        'Show log',
        'Open settings',
        'All commands…',
      ],
    );
    const focusView = menu(panel).getByRole('menuitemcheckbox', { name: 'Focus view' });
    assert.equal(await focusView.getAttribute('aria-checked'), 'false');
    assert.equal(await overflows(panel), false);
    assert.deepEqual(await axeFindings(panel.page), []);
    await focusView.click();
    await eventually(() => panel.sent('menu').length === 1);
    assert.equal(panel.sent('menu')[0]?.command, 'toggleFocusView');
    await menu(panel).waitFor({ state: 'detached' });
  });
});

test('by keyboard: arrows go round, letters find, Escape closes and stops no turn', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    const { keyboard } = panel.page;
    await button(panel).focus();
    await keyboard.press('ArrowDown');
    await menu(panel).waitFor();
    assert.equal(await focused(panel), 'Find in conversation');
    await keyboard.press('ArrowUp');
    assert.equal(await focused(panel), 'All commands…');
    await keyboard.press('Home');
    await keyboard.press('r');
    assert.equal(await focused(panel), 'Run doctor');
    await keyboard.press('Escape');
    await menu(panel).waitFor({ state: 'detached' });
    const name = await panel.page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(name, 'More actions');
    assert.equal(panel.sent('stop').length, 0);
    await keyboard.press('ArrowUp');
    await menu(panel).waitFor();
    await keyboard.press('Enter');
    await eventually(() => panel.sent('moreActions').length === 1);
  });
});

test('what the panel does itself is done at once', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    await button(panel).click();
    await panel.page.getByRole('menuitem', { name: 'Find in conversation' }).click();
    const box = panel.page.getByRole('textbox', { name: 'Find', exact: true });
    await box.waitFor();
    await eventually(() => box.evaluate((element) => element === document.activeElement));
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { noCli, noLogin, offlineState, setUpState } from '../harness/panelSandbox/setUpStates';

const { withPanel, message, overflows } = panelFixture();

const region = ({ page }: SandboxPanel) =>
  page.getByRole('region', { name: 'Set up', exact: true });
const press = (panel: SandboxPanel, name: string) =>
  region(panel).getByRole('button', { name, exact: true }).click();

test('without a CLI a region says what to do, at 300 px too, and its buttons do it', async () => {
  await withPanel(setUpState(noCli), { width: 300 }, async (panel) => {
    const shown = await region(panel).innerText();
    for (const words of [noCli.message, noCli.next ?? '']) assert.ok(shown.includes(words), shown);
    assert.deepEqual(await region(panel).getByRole('button').allInnerTexts(), [
      'Details',
      'Check again',
      'Choose the program…',
      'Run doctor',
    ]);
    assert.equal(await panel.page.locator('.suggestion').count(), 0, 'nothing is offered');
    assert.equal(await overflows(panel), false);
    assert.deepEqual(await axeFindings(panel.page), []);
    await press(panel, 'Check again');
    await press(panel, 'Choose the program…');
    await press(panel, 'Run doctor');
    await eventually(() => panel.sent('doctor').length === 1);
    assert.deepEqual([panel.sent('checkSetUp').length, panel.sent('chooseCli').length], [1, 1]);
    await press(panel, 'Details');
    await region(panel).getByText('/usr/local/bin').waitFor();
  });
});

test('Check again is seen and heard, also where nothing has changed, and the region goes by itself', async () => {
  await withPanel(setUpState(noCli), {}, async (panel) => {
    const { page } = panel;
    const heard = (words: string) => page.locator('[data-live="polite"]').getByText(words);
    await heard(noCli.message).first().waitFor({ state: 'attached' });
    await message(panel).fill('what I wanted to ask');
    await panel.patch({ op: 'set', fields: { setUp: { ...noCli, busy: 'looking' } } });
    await region(panel).getByText('Looking…').waitFor();
    await panel.patch({ op: 'set', fields: { setUp: { ...noCli, checks: 1 } } });
    await region(panel).getByText('Checked again: nothing has changed.').waitFor();
    await heard('Checked again: nothing has changed.').first().waitFor({ state: 'attached' });
    await panel.patch({ op: 'set', fields: {}, unset: ['setUp'] });
    await region(panel).waitFor({ state: 'detached' });
    assert.equal(await message(panel).inputValue(), 'what I wanted to ask');
    assert.ok((await page.locator('.suggestion').count()) > 0, 'now something is offered');
  });
});

test('without a login the first button opens it, and says that it is waited for', async () => {
  await withPanel(setUpState(noLogin), {}, async (panel) => {
    await region(panel).waitFor();
    assert.deepEqual(await region(panel).getByRole('button').allInnerTexts(), [
      'Log in',
      'Check again',
    ]);
    await press(panel, 'Log in');
    await eventually(() => panel.sent('login').length === 1);
    await panel.patch({ op: 'set', fields: { setUp: { ...noLogin, busy: 'loggingIn' } } });
    await region(panel).getByText('Waiting for the login in the terminal…').waitFor();
    assert.deepEqual(await axeFindings(panel.page), []);
  });
});

test('what can be done about the set-up is reached by Tab before the message', async () => {
  await withPanel(setUpState(noLogin), {}, async (panel) => {
    const { page } = panel;
    await region(panel).getByRole('button', { name: 'Log in', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(focused, 'Message');
  });
});

test('offline is said in plain words, with Retry', async () => {
  await withPanel(offlineState(), {}, async (panel) => {
    const alert = panel.page.getByRole('alert');
    await alert.getByText('The API cannot be reached. Is this machine offline?').waitFor();
    await alert.getByRole('button', { name: 'Retry', exact: true }).click();
    await eventually(() => panel.sent('retry').length === 1);
    assert.deepEqual(panel.sent('retry')[0]?.itemId, 'e1');
  });
});

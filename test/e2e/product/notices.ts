import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { message, say, toolUse } from '../../harness/model/script';
import { gate } from '../../harness/product/dialogue';
import type { Product } from '../../harness/product/product';
import { setSettings } from '../../harness/product/settings';
import type { Scene } from '../../harness/product/scene';
import { pressNotice, runCommand } from '../../harness/workbench';
import { begin } from './begin';

const DENIED = 'touch the red file';
const SILENT = 'touch the green file';
const LOOKING = 'touch the blue file';
const AWAY = 'touch the grey file';
const MARK = 'touched.txt';

const toast = ({ page }: Product): Locator =>
  page.locator('.notification-list-item', { hasText: `touch ${MARK}` });
const bar = ({ page }: Product): Locator =>
  page.locator('.statusbar-item', { hasText: 'The agent waits for your answer' });
/** Its name says it too, for those who do not see the number. */
const badge = ({ page }: Product): Locator =>
  page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Patchbay.* 1 waiting for you/ })
    .locator('.badge-content');

/** Has the model ask for leave while the chat is not seen. */
async function askUnseen(
  product: Product,
  prompt: string,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { dialogue, panel } = product;
  const hidden = gate();
  const command = toolUse('Bash', { command: `touch ${MARK}`, description: 'Leave a mark' });
  dialogue.on(prompt, message([hidden.step, command]), say(`Done: ${prompt}.`));
  await panel.send(prompt);
  await hidden.reached;
  await product.hide();
  await before();
  hidden.open();
}

/** With this setting nothing pops up; the status bar leads to the question. */
async function askQuietly(product: Product, notifications: string, prompt: string): Promise<void> {
  await setSettings(product, { 'patchbay.chat.notifications': notifications });
  await product.open();
  await begin(product);
  await askUnseen(product, prompt);
  await bar(product).waitFor();
  assert.equal(await toast(product).count(), 0);
  await bar(product).click();
}

/** Puts another window before the product's. The result brings it back. */
async function leave({ page }: Product): Promise<() => Promise<void>> {
  // A window in the browser hears of its focus only where that is in its own page, not in a webview.
  await page.locator('.part.editor').click();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.locator('.part.titlebar.inactive').waitFor({ state: 'attached' });
  return async () => {
    await page.bringToFront();
    await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await other.close();
    await cdp.detach();
    await page.locator('.part.titlebar:not(.inactive)').waitFor({ state: 'attached' });
  };
}

/** A question that comes where nobody looks. */
export function notices(scene: Scene): void {
  scene(
    'a hidden question has a badge, a place in the status bar, and a notification that denies it',
    async (product) => {
      const { panel, workspace } = product;
      await begin(product);
      await askUnseen(product, DENIED);
      await bar(product).waitFor();
      await badge(product).getByText('1', { exact: true }).waitFor();
      await pressNotice(product.page, toast(product), 'Deny');
      await bar(product).waitFor({ state: 'detached' });
      await badge(product).waitFor({ state: 'detached' });
      await product.open();
      const answer = await panel.waitForAnswer(0);
      await answer.getByRole('group', { name: 'Run a command, denied', exact: true }).waitFor();
      assert.equal(existsSync(path.join(workspace, MARK)), false);
    },
  );

  scene(
    'switched off, nothing pops up, and the status bar leads to the question',
    async (product) => {
      const { page, panel, workspace } = product;
      await askQuietly(product, 'never', SILENT);
      const card = panel.permission();
      await card.getByRole('button', { name: 'Allow once', exact: true }).click();
      await (await panel.waitForAnswer(0)).getByText(`Done: ${SILENT}.`).waitFor();
      assert.equal(existsSync(path.join(workspace, MARK)), true);
      await page.locator('.notifications-toasts').waitFor({ state: 'hidden' });
      await setSettings(product, {});
      await product.open();
    },
  );

  scene('told to, a notification comes only while the window has no focus', async (product) => {
    const { page, panel, workspace } = product;
    await rm(path.join(workspace, MARK), { force: true });
    await askQuietly(product, 'whenUnfocused', LOOKING);
    await panel.permission().getByRole('button', { name: 'Deny', exact: true }).click();
    await panel.waitForAnswer(0);
    await begin(product);
    let comeBack: (() => Promise<void>) | undefined;
    await askUnseen(product, AWAY, async () => {
      comeBack = await leave(product);
    });
    await toast(product).first().waitFor({ state: 'attached' });
    await comeBack?.();
    await pressNotice(product.page, toast(product), 'Deny');
    await bar(product).waitFor({ state: 'detached' });
    await product.open();
    await (
      await panel.waitForAnswer(0)
    )
      .getByRole('group', { name: 'Run a command, denied', exact: true })
      .waitFor();
    assert.equal(existsSync(path.join(workspace, MARK)), false);
    await runCommand(page, 'Notifications: Clear All Notifications');
    await setSettings(product, {});
    await product.open();
  });
}

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Scene } from '../../harness/product/scene';
import { openFile, runCommand } from '../../harness/workbench';

/** A rule, a setting and a habit keep these back; the last one is free. */
export const KEPT_FILES: Readonly<Record<string, string>> = {
  'kept/denied.txt': 'denied zqText\n',
  'kept/ignored.txt': 'ignored zqText\n',
  'kept/.env': 'KEY=zqText\n',
  'kept/open.txt': 'open zqText\n',
  // One that git has is a sample and no secret.
  '.gitignore': '.env\n',
  '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Read(./kept/denied.txt)'] } }),
  '.vscode/settings.json': JSON.stringify({ 'patchbay.ignore': ['kept/ignored.txt'] }),
};

export function selectionKept(scene: Scene): void {
  scene(
    'what is kept back is never offered when it is selected, nor what is closed',
    async (product) => {
      const { frame, page } = product;
      await page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Explorer/ })
        .click();
      await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'kept' }).click();
      const chip = frame.locator('.selection-chip');
      const isOffered = frame.getByRole('button', { name: 'Selection: open.txt:1', exact: true });
      for (const name of ['denied.txt', 'ignored.txt', '.env']) {
        await selectAll(page, 'open.txt');
        await product.open();
        await isOffered.waitFor();
        await selectAll(page, name);
        await product.open();
        // The offer of before goes once the new selection was looked at.
        await chip.waitFor({ state: 'detached' });
      }
      await selectAll(page, 'open.txt');
      await product.open();
      await isOffered.waitFor();
      await page
        .locator('.tabs-container')
        .getByRole('tab', { name: /^open\.txt/ })
        .click();
      await runCommand(page, 'View: Close Editor');
      await chip.waitFor({ state: 'detached' });
      await runCommand(page, 'View: Close All Editors');
      assert.equal(await chip.count(), 0);
    },
  );
}

async function selectAll(page: Page, name: string): Promise<void> {
  await openFile(page, name);
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-instance .view-lines', { hasText: 'zqText' }).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+End');
}

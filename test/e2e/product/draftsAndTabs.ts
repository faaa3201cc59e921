import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { message, say, text } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { gate } from '../../harness/product/dialogue';
import { draftsOnDisk } from '../../harness/product/draftsOnDisk';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';

const HALF = 'half a sentence, not sent';
const MOVED = 'talk while I move you';
const IN_TAB = 'draft in the tab';
const DOUBLE = 'only once, please';

export function drafts(scene: Scene): void {
  scene('a double click on Send sends once', async (product) => {
    const { dialogue, panel, frame } = product;
    dialogue.on(DOUBLE, say('Once.'));
    const said = await panel.articles('You').count();
    const number = await panel.articles('Claude').count();
    await panel.message.fill(DOUBLE);
    // Both clicks before the page can answer the first.
    await frame.getByRole('button', { name: 'Send', exact: true }).evaluate((button) => {
      if (!(button instanceof HTMLElement)) throw new Error('Send is no button');
      button.click();
      button.click();
    });
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Once.').waitFor();
    assert.equal(await panel.articles('You').count(), said + 1);
    assert.equal(product.requestsFor(DOUBLE).length, 1);
    assert.equal(await panel.message.inputValue(), '');
  });

  scene('a draft is there again after the view was hidden', async (product) => {
    await product.panel.message.fill(HALF);
    await product.hide();
    const panel = await product.open();
    await eventually(async () => (await panel.message.inputValue()) === HALF);
    await panel.message.fill('');
  });
}

export function moving(scene: Scene): void {
  scene('a view that is moved in mid-stream shows all, and keeps its draft', async (product) => {
    const { page, dialogue, panel } = product;
    const moved = gate();
    const parts = [text('Said before.'), moved.step, text(' Said after.')];
    dialogue.on(MOVED, message(parts));
    const said = await panel.articles('You').count();
    const number = await panel.articles('Claude').count();
    await panel.send(MOVED);
    const answer = panel.articles('Claude').nth(number);
    await answer.getByText('Said before.').waitFor();
    await panel.message.fill(HALF);
    await moveChat(page);
    await page
      .locator('.part.panel')
      .getByRole('tab', { name: /^Patchbay/ })
      .waitFor();
    await answer.getByText('Said before.').waitFor();
    await eventually(async () => (await panel.message.inputValue()) === HALF);
    moved.open();
    await panel.waitForAnswer(number);
    await answer.getByText('Said before. Said after.', { exact: true }).waitFor();
    assert.equal(await panel.articles('You').count(), said + 1);
    await panel.message.fill('');
    await runCommand(page, 'View: Reset View Locations');
    await product.open();
    // What is left in the panel is a terminal, which is of no use here.
    await runCommand(page, 'View: Hide Panel');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
  });
}

async function moveChat(page: Page): Promise<void> {
  await runCommand(page, 'View: Move View');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Chat' }).first().click();
  await rows.filter({ hasText: 'New Panel Entry' }).click();
}

export function editorTab(scene: Scene): void {
  scene('an editor tab holds a second conversation beside the first', async (product) => {
    const { page, dialogue, panel, tabPanel } = product;
    const prompt = 'hello from the tab';
    dialogue.on(prompt, say('Hello, tab.'));
    const said = await panel.articles('You').count();
    await runCommand(page, 'Patchbay: Open in editor tab');
    await tabPanel.message.waitFor();
    assert.equal(await tabPanel.allArticles.count(), 0);
    await tabPanel.send(prompt);
    const answer = await tabPanel.waitForAnswer(0);
    await answer.getByText('Hello, tab.').waitFor();
    assert.equal(await panel.articles('You').count(), said);
    const [request] = product.requestsFor(prompt);
    assert.ok(!JSON.stringify(request?.body.messages).includes(DOUBLE));
    // A draft of its own as well.
    await tabPanel.message.fill(IN_TAB);
    assert.equal(await panel.message.inputValue(), '');
  });
}

export function reload(scene: Scene): void {
  scene('drafts are there again after the window was loaded anew', async (product) => {
    const { panel, tabPanel } = product;
    await panel.message.fill(HALF);
    // The last letters are on their way for a moment; to leave the box sends them.
    await panel.message.blur();
    const kept = () => draftsOnDisk(product.server.dataFolder);
    await eventually(async () => {
      const drafts = await kept();
      return drafts.includes(HALF) && drafts.includes(IN_TAB);
    });
    await product.reload();
    await eventually(async () => (await panel.message.inputValue()) === HALF);
    await eventually(async () => (await tabPanel.message.inputValue()) === IN_TAB);
  });
}

import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { draftsOnDisk } from '../../harness/product/draftsOnDisk';
import { EDITOR_TAB, type Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { Panel } from '../../harness/tour/panel';
import { runCommand } from '../../harness/workbench';
import { begin } from './begin';
import { openConversations } from '../../harness/product/openConversations';

const FIRST = 'tell me of swans';
const SECOND = 'and of geese';
const IN_TAB = 'tell me of herons';
const NEXT = 'and of storks';

/** The chat in the editor tab that is in front. */
function frontTab({ page }: Product): { readonly panel: Panel; readonly frame: FrameLocator } {
  const frame = page.frameLocator(`${EDITOR_TAB}:visible`).frameLocator('iframe#active-frame');
  return { panel: new Panel(page, frame), frame };
}

const tabOf = ({ page }: Product, title: string) =>
  page.locator('.tabs-container').getByRole('tab', { name: new RegExp(`^${title}`) });

/** Several conversations side by side. */
export function tabs(scene: Scene): void {
  scene(
    'a fork from a message and a new conversation stand in tabs of their own',
    async (product) => {
      const { dialogue, frame, page, panel } = product;
      dialogue.on(FIRST, say('They are white.'));
      dialogue.on(SECOND, say('They are loud.'));
      dialogue.on(IN_TAB, say('They stand still.'));
      dialogue.on(NEXT, say('They nest on roofs.'));
      await begin(product);
      await panel.send(FIRST);
      await panel.waitForAnswer(0);
      await panel.send(SECOND);
      await panel.waitForAnswer(1);

      const dialog = await openConversations(product);
      const rows = dialog.getByRole('option');
      await rows.filter({ hasText: FIRST }).getByText('open here').waitFor();
      await page.keyboard.press('Escape');
      await panel.articles('You').nth(1).hover();
      await panel
        .articles('You')
        .nth(1)
        .getByRole('button', { name: 'Fork from here', exact: true })
        .click();
      await frame.getByText(`This is a fork of “${FIRST}”`).waitFor();
      await eventually(async () => (await panel.message.inputValue()) === SECOND);
      assert.equal(await panel.articles('You').count(), 1);
      await panel.message.fill('');

      // The original, in a tab.
      await openConversations(product);
      const original = rows.filter({ hasText: FIRST }).filter({ hasNotText: '(fork)' });
      await original.hover();
      await dialog.getByRole('button', { name: `Open in a tab: ${FIRST}`, exact: true }).click();
      await frontTab(product).panel.articles('Claude').getByText('They are loud.').waitFor();
      await runCommand(page, 'Patchbay: Open in editor tab');
      const tab = frontTab(product).panel;
      await tab.articles('Claude').first().waitFor({ state: 'detached' });
      await tab.send(IN_TAB);
      await (await tab.waitForAnswer(0)).getByText('They stand still.').waitFor();
      await tabOf(product, FIRST).waitFor();
      await tabOf(product, IN_TAB).waitFor();
    },
  );

  scene('all of them are back after the window was loaded anew, and go on', async (product) => {
    const { page } = product;
    const draft = 'half a word of herons';
    await frontTab(product).panel.message.fill(draft);
    await frontTab(product).panel.message.blur();
    const { dataFolder } = product.server;
    await eventually(async () => (await draftsOnDisk(dataFolder)).includes(draft));
    await product.reload();
    const tab = frontTab(product).panel;
    await tab.articles('Claude').getByText('They stand still.').waitFor();
    await eventually(async () => (await tab.message.inputValue()) === draft);
    await tabOf(product, FIRST).click();
    await tab.articles('Claude').getByText('They are loud.').waitFor();
    assert.equal(await tab.message.inputValue(), '');
    await tab.send(NEXT);
    await tab.articles('Claude').getByText('They nest on roofs.').waitFor();
    const said = JSON.stringify(product.requestsFor(NEXT)[0]?.body.messages);
    assert.ok(said.includes('They are loud.') && !said.includes('herons'), said);
    await runCommand(page, 'View: Close All Editors');
  });
}

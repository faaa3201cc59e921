import assert from 'node:assert/strict';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { draftsOnDisk } from '../../harness/product/draftsOnDisk';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';
import { begin } from './begin';
import { openConversations } from '../../harness/product/openConversations';

const FIRST = 'which crops like shade?';
const SECOND = 'which crops like sand?';
const DRAFTS = { first: 'and ferns?', second: 'and thrift?', none: 'how do I begin' };

/** Shows a past conversation in the side bar, and waits until it is there. */
async function open(product: Product, title: string, answer: string): Promise<void> {
  const dialog = await openConversations(product);
  await dialog.getByRole('option').filter({ hasText: title }).first().click();
  await product.panel.articles('Claude').getByText(answer).waitFor();
}

/** Each conversation has its own unsent words. */
export function draftsOfTalks(scene: Scene): void {
  const holds = ({ panel }: Product, text: string): Promise<void> =>
    eventually(async () => (await panel.message.inputValue()) === text);

  scene(
    'a draft goes with its conversation, and is there when that is opened again',
    async (product) => {
      const { dialogue, page, panel } = product;
      dialogue.on(FIRST, say('Some do.'));
      dialogue.on(SECOND, say('A few do.'));
      await begin(product);
      await panel.send(FIRST);
      await panel.waitForAnswer(0);
      await panel.message.fill(DRAFTS.first);
      await begin(product);
      await holds(product, '');
      await panel.send(SECOND);
      await panel.waitForAnswer(0);
      await panel.message.fill(DRAFTS.second);
      // By the editor's own command, which asks no page for its last letters.
      await runCommand(page, 'Patchbay: New conversation');
      await panel.articles('You').first().waitFor({ state: 'detached' });
      await holds(product, '');
      await panel.message.fill(DRAFTS.none);
      await open(product, FIRST, 'Some do.');
      await holds(product, DRAFTS.first);
      await open(product, SECOND, 'A few do.');
      await holds(product, DRAFTS.second);
      await begin(product);
      await holds(product, DRAFTS.none);
    },
  );

  scene('after the window was loaded anew each is still with its own', async (product) => {
    const { panel } = product;
    const { dataFolder } = product.server;
    await eventually(async () => {
      const kept = await draftsOnDisk(dataFolder);
      return Object.values(DRAFTS).every((draft) => kept.includes(draft));
    });
    await product.reload();
    await holds(product, DRAFTS.none);
    await open(product, SECOND, 'A few do.');
    await holds(product, DRAFTS.second);
    await panel.message.press('Enter');
    await panel.articles('You').nth(1).waitFor();
    await panel.waitForStatus(/^Idle/);
    assert.equal(await panel.message.inputValue(), '');
    await open(product, FIRST, 'Some do.');
    await holds(product, DRAFTS.first);
    await panel.message.fill('');
    await open(product, SECOND, 'A few do.');
    await holds(product, '');
    await begin(product);
    await holds(product, DRAFTS.none);
    await panel.message.fill('');
  });
}

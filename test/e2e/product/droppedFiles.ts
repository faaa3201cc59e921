import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { FileOfTest } from '../../harness/panelSandbox/giveFiles';
import { pngBytes, pngSize } from '../../harness/pictureBytes';
import { dropInto, pasteInto } from './give';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';
import { begin } from './begin';

const LOOK = 'what do you see?';
const NAMED = 'and these?';

const png = (name: string, bytes: Buffer): FileOfTest => ({ name, type: 'image/png', bytes });
const attachments = ({ frame }: Product): Locator =>
  frame.getByRole('list', { name: 'Attachments', exact: true }).getByRole('listitem');

/** What is pasted and dropped. */
export function droppedFiles(scene: Scene): void {
  scene('a picture that is too large goes smaller, and the panel says so', async (product) => {
    const { dialogue, frame, panel } = product;
    dialogue.on(LOOK, say('A red line.'));
    await begin(product);
    await pasteInto(product, { files: [png('wide.png', pngBytes(4200, 30, [200, 40, 40]))] });
    await attachments(product).getByText('made smaller for the model').waitFor();
    // Dropped from outside the editor; one goes again.
    await dropInto(product, { files: [png('small.png', pngBytes(40, 30, [20, 200, 40]))] });
    await frame.getByRole('button', { name: 'Remove small.png', exact: true }).click();
    await eventually(async () => (await attachments(product).count()) === 1);
    await panel.send(LOOK);
    await (await panel.waitForAnswer(0)).getByText('A red line.').waitFor();
    const sent = JSON.stringify(product.requestsFor(LOOK)[0]?.body.messages);
    const pictures = [...sent.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) =>
      pngSize(Buffer.from(data, 'base64')),
    );
    assert.deepEqual(pictures, [{ width: 2000, height: 14 }]);
  });

  scene('what cannot be attached is said with its reason, and what to do', async (product) => {
    const { frame, panel } = product;
    const problem = frame.getByRole('alert');
    await pasteInto(product, { files: [png('fake.png', Buffer.from('hello'))] });
    await problem.getByText('fake.png is no picture that can be sent.').waitFor();
    const pdf = { name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') };
    await dropInto(product, { files: [pdf] });
    await problem.getByText('Drop it from the explorer with Shift held').waitFor();
    const attach = frame.getByRole('button', { name: 'Attach files…', exact: true });
    assert.match((await attach.getAttribute('title')) ?? '', /drop files with Shift held/);
    const many = Array.from({ length: 22 }, (_, at) =>
      png(`${at}.png`, pngBytes(8, 8, [at, 0, 0])),
    );
    await pasteInto(product, { files: many });
    await problem.getByText('A message can have 20 pictures at most.').waitFor();
    await eventually(async () => (await attachments(product).count()) === 20);
    const remove = frame.getByRole('button', { name: /^Remove \d+\.png$/ });
    for (let left = 20; left > 0; left -= 1) {
      await remove.first().click();
      await eventually(async () => (await remove.count()) === left - 1);
    }
    await panel.message.fill('');
  });

  scene(
    'a file and a folder of the explorer, dropped with Shift held, are mentioned',
    async (product) => {
      const { dialogue, page, tabPanel } = product;
      dialogue.on(/and these\?$/, say('A price and a folder.'));
      await runCommand(page, 'Patchbay: Open in editor tab');
      await tabPanel.message.waitFor();
      await page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Explorer/ })
        .click();
      const rows = page.locator('.explorer-folders-view');
      const box = await tabPanel.message.boundingBox();
      assert.ok(box);
      for (const name of ['package.json', 'data']) {
        const before = await tabPanel.message.inputValue();
        await drag(product, rows.getByRole('treeitem', { name, exact: true }), tabPanel.message);
        await eventually(async () => (await tabPanel.message.inputValue()) !== before);
      }
      assert.equal(await tabPanel.message.inputValue(), '@package.json @data/ ');
      await tabPanel.message.press('End');
      await page.keyboard.type(NAMED);
      await page.keyboard.press('Enter');
      await (await tabPanel.waitForAnswer(0)).getByText('A price and a folder.').waitFor();
      const [request] = product.model.requests.filter(({ turn }) => turn.prompt.endsWith(NAMED));
      const sent = JSON.stringify(request?.body.messages);
      assert.ok(sent.includes('products.json'), sent);
      await runCommand(page, 'View: Close Editor');
    },
  );
}

/** By the mouse, with Shift held. */
async function drag({ page }: Product, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  assert.ok(start && end);
  await page.mouse.move(start.x + 40, start.y + start.height / 2);
  await page.mouse.down();
  await page.keyboard.down('Shift');
  await page.mouse.move(start.x + 60, start.y + start.height / 2 + 4, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
}

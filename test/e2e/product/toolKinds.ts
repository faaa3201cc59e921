import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { pngBytes } from '../../harness/pictureBytes';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const READ = 'read a part of the cart';
const LOOK = 'look at the picture';

/** Opens the row of a call, if it is not open. */
async function open(row: Locator): Promise<Locator> {
  const button = row.getByRole('button', { name: /, (running|done)$/ });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  return row;
}

const rowIn = (answer: Locator, name: string): Locator =>
  answer.getByRole('group', { name, exact: true });

/** Each kind of call shows what matters for it. */
export function toolKinds(scene: Scene): void {
  scene(
    'a read shows its file and lines, and one click further all that went over the wire',
    async (product) => {
      const { dialogue, page, panel, workspace } = product;
      const input = { file_path: path.join(workspace, 'src/cart.ts'), offset: 3, limit: 4 };
      dialogue.on(READ, message([toolUse('Read', input)]), say('Read.'));
      await begin(product);
      await panel.send(READ);
      const answer = await panel.waitForAnswer(0);
      const row = rowIn(answer, 'Read a file, done');
      await row.getByText('src/cart.ts', { exact: true }).first().waitFor();
      await open(row);
      await row.getByText(/^lines 3–6 of \d+$/).waitFor();
      await row.getByRole('button', { name: /^Raw input/ }).click();
      const raw = await row.getByRole('group', { name: 'Raw input', exact: true }).innerText();
      assert.deepEqual(JSON.parse(raw), input);
      const result = await row.getByRole('group', { name: 'Result', exact: true }).innerText();
      assert.ok(result.includes('readonly product: Product;'), result);
      await row.locator('a.subject-text').click();
      await page.locator('.tab.active', { hasText: 'cart.ts' }).waitFor();
      await page.locator('.statusbar').getByText('Ln 3, Col 1').waitFor();
    },
  );

  scene('a picture that a tool gives is drawn, and larger when it is pressed', async (product) => {
    const { dialogue, panel, workspace } = product;
    const file = path.join(workspace, 'blue.png');
    await writeFile(file, pngBytes(300, 900, [30, 60, 220]));
    dialogue.on(LOOK, message([toolUse('Read', { file_path: file })]), say('It is blue.'));
    const number = await panel.articles('Claude').count();
    await panel.send(LOOK);
    const answer = await panel.waitForAnswer(number);
    const row = await open(rowIn(answer, 'Read a file, done'));
    const picture = row.getByRole('button', { name: 'Image 1', exact: true });
    const height = () =>
      picture.locator('img').evaluate((image) => {
        if (!(image instanceof HTMLImageElement) || image.naturalWidth === 0) return 0;
        return image.getBoundingClientRect().height;
      });
    await picture.locator('img').waitFor();
    await eventually(async () => (await height()) > 0);
    const small = await height();
    // All of it, and not a part.
    assert.ok(small <= 96, `${small} px`);
    await picture.click();
    await eventually(async () => (await height()) > small);
  });
}

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { pngBytes } from '../../harness/pictureBytes';
import { draftsOnDisk } from '../../harness/product/draftsOnDisk';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { openFile } from '../../harness/workbench';
import { begin } from './begin';

const LOOK = 'what colour is this?';
const EXPLAIN = 'explain what I have selected';
const WITHOUT = 'and without it?';
const LINES = '@src/format.ts:1-2 ';
const PASTED = `${LINES}what do these lines do?`;

const attachments = ({ frame }: Product) =>
  frame.getByRole('list', { name: 'Attachments', exact: true }).getByRole('listitem');

/** As a browser hands over a picture that was copied. */
async function pastePicture({ panel }: Product, bytes: Buffer): Promise<void> {
  await panel.message.evaluate((box, data) => {
    const clipboardData = new DataTransfer();
    const all = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    clipboardData.items.add(new File([all], 'image.png', { type: 'image/png' }));
    const how = { bubbles: true, cancelable: true, clipboardData };
    box.dispatchEvent(new ClipboardEvent('paste', how));
  }, bytes.toString('base64'));
}

/** Waits until the picture is drawn, rather than refused by the page's policy. */
function isDrawn(product: Product, where: string): Promise<void> {
  const image = product.frame.locator(where).first();
  return eventually(
    async () =>
      (await image.count()) > 0 &&
      (await image.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)),
  );
}

export function pictures(scene: Scene): void {
  scene(
    'a pasted picture outlives a reload in the draft, and reaches the model with the message',
    async (product) => {
      const { dialogue } = product;
      dialogue.on(LOOK, say('It is blue.'));
      const bytes = pngBytes(60, 40, [20, 60, 220]);
      await begin(product);
      const number = await product.panel.articles('Claude').count();
      await product.panel.message.fill(LOOK);
      await pastePicture(product, bytes);
      await isDrawn(product, '.attachment img');
      await product.panel.message.blur();
      await eventually(async () => {
        const kept = await draftsOnDisk(product.server.dataFolder);
        return kept.includes(LOOK) && kept.includes('image/png');
      });
      await product.reload();
      await isDrawn(product, '.attachment img');
      await eventually(async () => (await product.panel.message.inputValue()) === LOOK);
      await product.panel.message.press('Enter');
      const answer = await product.panel.waitForAnswer(number);
      await answer.getByText('It is blue.').waitFor();
      await eventually(async () => (await attachments(product).count()) === 0);
      const [request] = product.requestsFor(LOOK);
      assert.ok(JSON.stringify(request?.body.messages).includes(bytes.toString('base64')));
      await isDrawn(product, 'article.user .picture img');
    },
  );
}

export function selection(scene: Scene): void {
  scene(
    'what is selected goes with a message as the panel shows it, until one press stops it',
    async (product) => {
      const { page, dialogue, frame } = product;
      dialogue.on(EXPLAIN, say('It formats money.'));
      dialogue.on(WITHOUT, say('Nothing came.'));
      await openFile(page, 'format.ts');
      await selectTwoLines(page);
      const panel = await product.open();
      const chip = frame.getByRole('button', { name: 'Selection: format.ts:1-2', exact: true });
      await chip.waitFor();
      // What is selected no more is offered no more, and comes back with the next selection.
      await toTheTop(page);
      await chip.waitFor({ state: 'detached' });
      await selectTwoLines(page);
      await chip.waitFor();
      const number = await panel.articles('Claude').count();
      await panel.send(EXPLAIN);
      await (await panel.waitForAnswer(number)).getByText('It formats money.').waitFor();
      const [request] = product.requestsFor(EXPLAIN);
      assert.match(
        JSON.stringify(request?.body.messages),
        /<attached selection_in=\\"src\/format\.ts\\" lines=\\"1-2\\">/,
      );
      await frame.getByRole('button', { name: 'Sent: Selection src/format.ts:1-2' }).waitFor();
      await chip.click();
      await frame.locator('.selection-chip[aria-pressed="false"]').waitFor();
      await panel.send(WITHOUT);
      await (await panel.waitForAnswer(number + 1)).getByText('Nothing came.').waitFor();
      const last = product.requestsFor(WITHOUT).at(-1)?.body.messages.at(-1);
      assert.ok(!JSON.stringify(last).includes('selection_in'));
    },
  );
}

export function pastedCode(scene: Scene): void {
  scene(
    'code that is copied in an editor and pasted goes with its file and lines',
    async (product) => {
      const { page, dialogue } = product;
      dialogue.on(PASTED, say('They format money.'));
      await openFile(page, 'format.ts');
      await selectTwoLines(page);
      await page.keyboard.press('Control+c');
      const panel = await product.open();
      const number = await panel.articles('Claude').count();
      // The editor tells of a copy a moment later: what is pasted before that is text.
      await eventually(async () => {
        await panel.message.fill('');
        await panel.message.press('Control+v');
        const isPlaced = async () => (await panel.message.inputValue()) === LINES;
        return eventually(isPlaced, 3_000).then(
          () => true,
          () => false,
        );
      });
      await panel.message.press('End');
      await page.keyboard.type(PASTED.slice(LINES.length));
      await panel.message.press('Enter');
      await (await panel.waitForAnswer(number)).getByText('They format money.').waitFor();
      const [request] = product.requestsFor(PASTED);
      assert.match(
        JSON.stringify(request?.body.messages),
        /<attached file=\\"src\/format\.ts\\" lines=\\"1-2\\">/,
      );
    },
  );
}

/** In the editor that is shown; nothing is selected then. */
async function toTheTop(page: Page): Promise<void> {
  await page.locator('.editor-instance .monaco-editor').first().click();
  await page.keyboard.press('Control+Home');
}

async function selectTwoLines(page: Page): Promise<void> {
  await toTheTop(page);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
}

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const ASK = 'show me all of it';
const ANSWER = `It says \`${'long'.repeat(60)}\` in src/cart.ts:3.

| one | two | three | four | five | six | seven |
| --- | --- | ----- | ---- | ---- | --- | ----- |
| ${'words and words | '.repeat(7)}

\`\`\`ts
const wide = '${'x'.repeat(300)}';
\`\`\`

The last line.`;

/** What a browser at 200 % gives a page: half the room, and twice as many points for each pixel. */
async function zoom({ page }: Product, times: 1 | 2): Promise<() => Promise<void>> {
  const size = page.viewportSize();
  assert.ok(size);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setDeviceMetricsOverride', {
    width: Math.round(size.width / times),
    height: Math.round(size.height / times),
    deviceScaleFactor: times,
    mobile: false,
  });
  return async () => {
    await page.setViewportSize(size);
    await cdp.detach();
  };
}

/** Controls that do not lie in the panel as a whole, or whose words are cut off. */
const cutOff = (main: Locator): Promise<readonly string[]> =>
  main.evaluate((panel) => {
    const { left, right } = panel.getBoundingClientRect();
    const isSeen = (one: Element): boolean => one.getClientRects().length > 0;
    return [...panel.querySelectorAll('button, textarea, [role="status"], h1, h2')]
      .filter(isSeen)
      .filter((one) => {
        const box = one.getBoundingClientRect();
        // What scrolls in a box of its own, such as a table, may be wider.
        const isOwn = one.closest('.md-table, .md-code pre') === null;
        return isOwn && (box.left < left - 1 || box.right > right + 1);
      })
      .map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`);
  });

/** The window at 200 %. */
export function zoomed(scene: Scene): void {
  scene('at 200 % nothing is cut off, and a message is written and sent', async (product) => {
    const { dialogue, frame, page, panel } = product;
    dialogue.on(ASK, say(ANSWER));
    await begin(product);
    const unzoom = await zoom(product, 2);
    try {
      await eventually(async () => (await page.evaluate(() => devicePixelRatio)) === 2);
      await product.open();
      await panel.message.click();
      await page.keyboard.type(ASK);
      const send = frame.getByRole('button', { name: 'Send', exact: true });
      for (const one of [panel.message, send]) {
        const box = await one.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 640, JSON.stringify(box));
        assert.ok(box.y >= 0 && box.y + box.height <= 400, JSON.stringify(box));
      }
      await send.click();
      const answer = await panel.waitForAnswer(0);
      await answer.getByText('The last line.').waitFor();
      const fits = await panel.main.evaluate((main) => main.scrollWidth <= main.clientWidth);
      assert.ok(fits, 'the panel does not scroll sideways');
      assert.deepEqual(await cutOff(panel.main), []);
      // The end of the answer can be read, and what is above it.
      await panel.scrollToEnd();
      assert.ok(await answer.getByText('The last line.').isVisible());
      await panel.articles('You').first().scrollIntoViewIfNeeded();
      await frame.getByRole('button', { name: 'More actions', exact: true }).click();
      const items = frame.getByRole('menuitem');
      await items.first().waitFor();
      for (const item of [items.first(), items.last()]) {
        await item.scrollIntoViewIfNeeded();
        const box = await item.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= 400, JSON.stringify(box));
      }
      await page.keyboard.press('Escape');
    } finally {
      await unzoom();
    }
    await eventually(async () => (await page.evaluate(() => devicePixelRatio)) === 1);
  });
}

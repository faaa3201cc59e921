import assert from 'node:assert/strict';
import { message, say, text, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { gate } from '../../harness/product/dialogue';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const LONG = 'sweep the whole yard';
const KEPT = 'then feed the hens';
const GONE = 'then paint the gate';
const NOW = 'leave out the corner';

/** The message box, and what waits in it while a turn runs. */
export function promptQueue(scene: Scene): void {
  scene(
    'what waits is taken out, sent into the running turn, or goes after it',
    async (product) => {
      const { dialogue, frame, page, panel } = product;
      const half = gate();
      dialogue.on(
        LONG,
        message([text('I sweep.'), half.step, toolUse('mcp__editor__open_editors')]),
        ({ asides }) =>
          say(asides.some((one) => one.includes(NOW)) ? 'All but the corner.' : 'All of it.'),
      );
      dialogue.on(KEPT, say('They are fed.'));
      await begin(product);
      await panel.send(LONG);
      await half.reached;
      const queue = frame.getByRole('list', { name: 'Queued messages', exact: true });
      const row = (words: string) => queue.getByRole('listitem').filter({ hasText: words });
      for (const prompt of [KEPT, GONE, NOW]) {
        await panel.message.fill(prompt);
        await page.keyboard.press('Enter');
        await row(prompt).waitFor();
      }
      await row(GONE).getByRole('button', { name: 'Remove', exact: true }).click();
      await row(GONE).waitFor({ state: 'detached' });
      await row(NOW).getByRole('button', { name: 'Send now', exact: true }).click();
      await panel
        .articles('You')
        .filter({ hasText: NOW })
        .getByText('Waits for the next step of the agent')
        .waitFor();
      half.open();
      await panel.articles('Claude').getByText('All but the corner.').waitFor();
      await panel.articles('Claude').getByText('They are fed.').waitFor();
      await panel.waitForStatus(/^Idle/);
      assert.equal(await queue.count(), 0);
      assert.equal(product.requestsFor(GONE).length, 0);
      assert.equal(product.requestsFor(KEPT).length, 1);
    },
  );

  scene(
    'the message box grows with what is written, up to a part of the panel',
    async (product) => {
      const { panel, page } = product;
      const height = async () => (await panel.message.boundingBox())?.height ?? 0;
      const one = await height();
      await panel.message.focus();
      for (let line = 1; line <= 4; line += 1) {
        await page.keyboard.type(`line ${line}`);
        await page.keyboard.press('Shift+Enter');
      }
      await eventually(async () => (await height()) > one * 2);
      await panel.message.fill(Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n'));
      const main = (await panel.main.boundingBox())?.height ?? 0;
      await eventually(async () => (await height()) > one * 2 && (await height()) < main / 2);
      await panel.message.fill('');
      await eventually(async () => (await height()) === one);
    },
  );
}

import assert from 'node:assert/strict';
import { message, say, text, toolUse } from '../../harness/model/script';
import { gate } from '../../harness/product/dialogue';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const LONG = 'look through all the files';
const FIRST = 'then count them';
const SECOND = 'then sort them';
const EDITED = 'then sort them by name';
const STEER = 'leave the tests out';

/** What is said while a turn runs: behind it, or into it. */
export function queueing(scene: Scene): void {
  scene('what waits is put in another order, edited, and goes in that order', async (product) => {
    const { dialogue, frame, page, panel } = product;
    const half = gate();
    dialogue.on(LONG, message([text('I look'), half.step, text(' through them.')]));
    for (const prompt of [FIRST, EDITED]) dialogue.on(prompt, say(`Done: ${prompt}.`));
    await begin(product);
    const number = await panel.articles('Claude').count();
    await panel.send(LONG);
    await half.reached;
    const queue = frame.getByRole('list', { name: 'Queued messages', exact: true });
    const rows = queue.getByRole('listitem');
    for (const prompt of [FIRST, SECOND]) {
      await panel.message.fill(prompt);
      await page.keyboard.press('Enter');
      await rows.filter({ hasText: prompt }).waitFor();
    }
    const second = rows.filter({ hasText: SECOND });
    await second.getByRole('button', { name: 'Move up', exact: true }).click();
    await eventually(async () => (await rows.first().innerText()).includes(SECOND));
    await second.getByRole('button', { name: 'Edit', exact: true }).click();
    await eventually(async () => (await panel.message.inputValue()) === SECOND);
    await panel.message.fill(EDITED);
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: EDITED }).waitFor();
    const order = (await rows.allInnerTexts()).map((row) =>
      row.includes(EDITED) ? EDITED : FIRST,
    );
    half.open();
    await panel
      .articles('Claude')
      .nth(number + 2)
      .getByText(/^Done: /)
      .waitFor();
    await panel.waitForStatus(/^Idle/);
    const said = product.model.requests
      .map(({ turn }) => turn.prompt)
      .filter((prompt) => prompt === FIRST || prompt === EDITED);
    assert.deepEqual(said, order);
    assert.equal(await queue.count(), 0);
  });

  scene(
    'a message sent into the running turn is read in it, and waits no turn of its own',
    async (product) => {
      const { dialogue, page, panel } = product;
      const half = gate();
      dialogue.on(
        LONG,
        message([text('I begin.'), half.step, toolUse('mcp__editor__open_editors')]),
        ({ asides }) =>
          say(asides.some((one) => one.includes(STEER)) ? 'Without them.' : 'With all.'),
      );
      const number = await panel.articles('Claude').count();
      await panel.send(LONG);
      await half.reached;
      await panel.message.fill(STEER);
      await page.keyboard.press('Control+Enter');
      const own = panel.articles('You').filter({ hasText: STEER });
      await own.getByText('Waits for the next step of the agent').waitFor();
      half.open();
      await panel.articles('Claude').getByText('Without them.').waitFor();
      await panel.waitForStatus(/^Idle/);
      assert.equal(await own.getByText('Waits for the next step').count(), 0);
      assert.equal(product.requestsFor(STEER).length, 0);
      assert.ok((await panel.articles('Claude').count()) > number);
    },
  );
}

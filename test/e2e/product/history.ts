import assert from 'node:assert/strict';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const FIRST = 'the invoice of the zebra crossing';
const OTHER = 'something else altogether';
const NEXT = 'go on about that';

/** Past conversations are found by what was said in them, and go on. */
export function history(scene: Scene): void {
  scene(
    'a past conversation is found by keys alone, drawn from the disk, and goes on',
    async (product) => {
      const { dialogue, panel, frame, page } = product;
      dialogue.on(FIRST, say('The zebra owes nothing.'));
      dialogue.on(OTHER, say('Altogether else.'));
      dialogue.on(NEXT, say('It still owes nothing.'));
      await begin(product);
      await panel.send(FIRST);
      await (await panel.waitForAnswer(0)).getByText('The zebra owes nothing.').waitFor();
      await begin(product);
      await panel.send(OTHER);
      await (await panel.waitForAnswer(0)).getByText('Altogether else.').waitFor();

      await frame.getByRole('button', { name: 'Conversations', exact: true }).press('Enter');
      const dialog = frame.getByRole('dialog', { name: 'Conversations', exact: true });
      const rows = dialog.getByRole('option');
      await rows.filter({ hasText: OTHER }).getByText('open here').waitFor();
      await page.keyboard.type('ZEBRA invoice');
      await eventually(async () => (await rows.count()) === 1);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await panel.articles('Claude').first().getByText('The zebra owes nothing.').waitFor();
      assert.equal(await panel.articles('You').count(), 1);
      assert.equal(product.requestsFor(FIRST).length, 1, 'nothing was asked again');

      await panel.send(NEXT);
      await (await panel.waitForAnswer(1)).getByText('It still owes nothing.').waitFor();
      const said = JSON.stringify(product.requestsFor(NEXT)[0]?.body.messages);
      assert.ok(said.includes('The zebra owes nothing.'), said);
      assert.ok(!said.includes('Altogether else.'), said);
    },
  );
}

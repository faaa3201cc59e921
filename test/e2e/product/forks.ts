import assert from 'node:assert/strict';
import { readTalk } from '../../harness/model/requestBody';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const FIRST = 'count the lanterns on the quay';
const SECOND = 'and the ones that are out';
const EDITED = 'and the ones that are green';

/** A conversation goes on from an earlier point, another way; what it was is kept. */
export function forks(scene: Scene): void {
  scene('a prompt is said in other words in a fork, and the original is kept', async (product) => {
    const { dialogue, panel, frame, page } = product;
    dialogue.on(FIRST, say('Seven lanterns.'));
    dialogue.on(SECOND, say('Two are out.'));
    dialogue.on(EDITED, say('Three are green.'));
    await begin(product);
    await panel.send(FIRST);
    await (await panel.waitForAnswer(0)).getByText('Seven lanterns.').waitFor();
    await panel.send(SECOND);
    await (await panel.waitForAnswer(1)).getByText('Two are out.').waitFor();

    await panel.articles('You').nth(1).getByRole('button', { name: 'Edit', exact: true }).click();
    const box = frame.getByRole('textbox', { name: 'Edit message', exact: true });
    await box.fill(EDITED);
    await box.press('Enter');
    await panel.articles('You').nth(1).getByText(EDITED).waitFor();
    await (await panel.waitForAnswer(1)).getByText('Three are green.').waitFor();
    await frame.getByText(`This is a fork of “${FIRST}”`).waitFor();
    const [request] = product.requestsFor(EDITED);
    assert.ok(request);
    assert.deepEqual(readTalk(request.body), [
      `user: ${FIRST}`,
      'assistant: Seven lanterns.',
      `user: ${EDITED}`,
    ]);

    await frame.getByRole('button', { name: 'Conversations', exact: true }).click();
    const rows = frame.getByRole('dialog', { name: 'Conversations' }).getByRole('option');
    await page.keyboard.type('lanterns');
    await eventually(async () => (await rows.count()) === 2);
    await rows
      .filter({ hasText: `${FIRST} (fork)` })
      .getByText('open here')
      .waitFor();
    await rows.filter({ hasNotText: '(fork)' }).click();
    await panel.articles('Claude').nth(1).getByText('Two are out.').waitFor();
    assert.equal(await panel.articles('You').nth(1).innerText(), `You\n${SECOND}`);
  });

  scene('the last answer is asked for once more', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(SECOND, say('On a second look four are out.'));
    const before = product.requestsFor(SECOND).length;
    const last = panel.articles('Claude').nth(1);
    await last.getByRole('button', { name: 'Retry', exact: true }).click();
    await panel.articles('Claude').nth(1).getByText('On a second look four are out.').waitFor();
    assert.equal(await panel.articles('Claude').count(), 2);
    const requests = product.requestsFor(SECOND);
    assert.equal(requests.length, before + 1);
    assert.ok(!JSON.stringify(requests.at(-1)?.body.messages).includes('Two are out.'));
  });
}

import assert from 'node:assert/strict';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';
import { openConversations } from '../../harness/product/openConversations';

const SAID = 'paint the shed door';
const ANSWER = 'Which colour?';
const TITLE = 'The shed';

/** Past conversations get a title, go, and come back. */
export function pastConversations(scene: Scene): void {
  scene('a conversation is renamed, deleted and brought back, and goes on', async (product) => {
    const { dialogue, panel, frame, page } = product;
    dialogue.on(SAID, say(ANSWER));
    dialogue.on('green', say('Green it is.'));
    await begin(product);
    await panel.send(SAID);
    await (await panel.waitForAnswer(0)).getByText(ANSWER).waitFor();

    const dialog = await openConversations(product);
    const rows = dialog.getByRole('option');
    const heading = frame.getByRole('heading', { level: 1 });
    await rows.filter({ hasText: SAID }).hover();
    await dialog.getByRole('button', { name: `Rename: ${SAID}`, exact: true }).click();
    await page.keyboard.type(TITLE);
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: TITLE }).waitFor();
    await heading.getByText(TITLE, { exact: true }).waitFor();

    await rows.filter({ hasText: TITLE }).hover();
    await dialog.getByRole('button', { name: `Delete: ${TITLE}`, exact: true }).click();
    await dialog.getByText(`Deleted: ${TITLE}`).waitFor();
    await eventually(async () => (await rows.filter({ hasText: TITLE }).count()) === 0);
    await panel.articles('You').first().waitFor({ state: 'detached' });

    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await rows.filter({ hasText: TITLE }).click();
    await panel.articles('Claude').first().getByText(ANSWER).waitFor();
    await panel.send('green');
    await (await panel.waitForAnswer(1)).getByText('Green it is.').waitFor();
    const said = JSON.stringify(product.requestsFor('green')[0]?.body.messages);
    assert.ok(said.includes(ANSWER), said);
  });
}

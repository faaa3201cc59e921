import assert from 'node:assert/strict';
import { message, say, text } from '../../harness/model/script';
import { gate } from '../../harness/product/dialogue';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const MAIN = 'count to two, slowly';

export function sideQuestion(scene: Scene): void {
  scene('/btw is answered beside a running turn, which never hears of it', async (product) => {
    const { dialogue, panel, frame, page } = product;
    const half = gate();
    dialogue.on(MAIN, message([text('One,'), half.step, text(' two.')]));
    dialogue.on(/what is a zqCent/, say('A *hundredth* of a zqEuro.'));
    // Articles are counted here, and of a long conversation only those around the view are drawn.
    await begin(product);
    const before = await panel.articles('You').count();
    await panel.send(MAIN);
    await half.reached;
    await panel.message.fill('/btw what is a zqCent?');
    await page.keyboard.press('Enter');
    const region = frame.getByRole('region', { name: 'Side question', exact: true });
    await region.locator('em', { hasText: 'hundredth' }).waitFor();
    half.open();
    await panel.articles('Claude').last().getByText('One, two.').waitFor();
    assert.equal(await panel.articles('You').count(), before + 1);
    const log = await frame.getByRole('log').innerText();
    assert.ok(!log.includes('zqCent') && !log.includes('zqEuro'), log);
    await region.getByRole('button', { name: 'Close side question', exact: true }).click();
    await region.waitFor({ state: 'detached' });
    const next = 'and now three';
    dialogue.on(next, say('Three.'));
    await panel.send(next);
    await panel.articles('Claude').last().getByText('Three.').waitFor();
    const told = JSON.stringify(product.requestsFor(next)[0]?.body.messages);
    assert.ok(told.includes('One,') && !told.includes('zqCent'), told);
  });
}

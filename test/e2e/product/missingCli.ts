import assert from 'node:assert/strict';
import { errors } from 'playwright-core';
import { say } from '../../harness/model/script';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { setSettings } from '../../harness/product/settings';

const PROMPT = 'is anybody there?';

export function missingCli(scene: Scene): void {
  scene(
    'without a CLI an alert says what to do, and Retry works once it is there',
    async (product) => {
      const { dialogue, panel, frame } = product;
      dialogue.on(PROMPT, say('Yes, here I am.'));
      await setSettings(product, { 'patchbay.cli.path': '/nowhere/claude' });
      await product.open();
      await frame.getByRole('button', { name: 'New conversation', exact: true }).click();
      await panel.articles('You').first().waitFor({ state: 'detached' });
      await panel.message.fill(PROMPT);
      await panel.message.press('Enter');
      const alert = panel.alert.filter({ hasText: '/nowhere/claude' });
      await alert.waitFor();
      const words = await alert.innerText();
      assert.match(words, /was not found/);
      assert.match(words, /text is kept/);
      assert.match(words, /patchbay\.cli\.path/);
      await panel.waitForStatus(/^(Failed|Not connected)/);
      await panel.articles('You').getByText(PROMPT).waitFor();
      const setUp = frame.getByRole('region', { name: 'Set up', exact: true });
      await setUp.getByRole('button', { name: 'Check again', exact: true }).waitFor();
      assert.equal(product.requestsFor(PROMPT).length, 0);
      await setSettings(product, {});
      await product.open();
      await retryUntilAnswered(product);
      assert.equal(await panel.articles('You').count(), 1);
      assert.equal(await alert.count(), 0);
      await setUp.waitFor({ state: 'detached' });
    },
  );
}

/**
 * The editor tells the extension host of a changed setting in its own time; a Retry before that
 * meets the old one and is offered again. A Retry that is seen may be gone before the click (the one
 * before it was just taken), so each click has a short patience and the loop looks again.
 */
async function retryUntilAnswered({ panel, frame }: Product): Promise<void> {
  const answer = panel.articles('Claude').getByText('Yes, here I am.');
  // Of the alert, or of the line in its place once the CLI is noticed to be there.
  const retry = frame.getByRole('button', { name: 'Retry', exact: true });
  const end = Date.now() + 90_000;
  for (;;) {
    await answer.or(retry).first().waitFor();
    if (await answer.isVisible()) return;
    assert.ok(Date.now() < end, 'Retry goes on failing after the setting was mended');
    await retry.click({ timeout: 1_000 }).catch((error: unknown) => {
      if (!(error instanceof errors.TimeoutError)) throw error;
    });
  }
}

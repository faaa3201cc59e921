import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { openFile } from '../../harness/workbench';
import { begin } from './begin';

const ASK = 'say it in every script';
const ARABIC = 'مرحبا بالعالم، هذا سطر عربي';
const CODE = 'const zqOne = 1;\nconst zqTwo = 2;';
const ANSWER = [
  'The sum is made in `calcTotal`, not in `zqNowhere`.',
  '',
  '1. outer',
  '   - inner',
  '     - innermost',
  '',
  String.raw`Math stays as it is written: $e^{i\pi} + 1 = 0$ and \(a_1 < b_2\).`,
  '',
  ARABIC,
  '',
  '漢字かな交じり文が続く。🎉👩‍👩‍👧‍👦',
  '',
  'W'.repeat(600),
  '',
  '```ts',
  CODE,
  '```',
].join('\n');

/** What the clipboard has, as a paste into the message box gives it. */
async function pasted({ panel }: Product): Promise<string> {
  await panel.message.fill('');
  await panel.message.press('Control+v');
  return panel.message.inputValue();
}

const directionOf = (one: Locator): Promise<string> =>
  one.evaluate((element) => getComputedStyle(element).direction);

/** How the words of an answer stand there, and what is taken out of them. */
export function answerText(scene: Scene): void {
  scene('lists, math and every script are readable in a narrow panel', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(ASK, say(ANSWER));
    await begin(product);
    await panel.send(ASK);
    const answer = await panel.waitForAnswer(0);
    await answer.locator('ol > li > ul > li > ul > li').getByText('innermost').waitFor();
    const words = await answer.innerText();
    assert.ok(words.includes(String.raw`$e^{i\pi} + 1 = 0$ and \(a_1 < b_2\)`), words);
    assert.ok(words.includes('漢字かな交じり文が続く。🎉👩‍👩‍👧‍👦'), words);
    assert.equal(await directionOf(answer.getByText(ARABIC)), 'rtl');
    assert.equal(await directionOf(answer.getByText('Math stays')), 'ltr');
    await eventually(async () => {
      const { width } = (await panel.main.boundingBox()) ?? { width: 0 };
      return width > 0 && width <= 320;
    });
    const isTooWide = () => panel.main.evaluate((main) => main.scrollWidth > main.clientWidth);
    assert.equal(await isTooWide(), false);
    const long = answer.locator('p', { hasText: /^W+$/ });
    assert.equal(await long.evaluate((one) => one.scrollWidth > one.clientWidth), false);
  });

  scene('what the answer names in the code is a link to where it is defined', async (product) => {
    const { page, panel, workspace } = product;
    // The language server knows a project from its first file on.
    const src = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src' });
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer/ })
      .click();
    if ((await src.getAttribute('aria-expanded')) !== 'true') await src.click();
    await openFile(page, 'report.ts');
    await page.locator('.squiggly-error').first().waitFor();
    await product.open();
    const answer = panel.articles('Claude').first();
    const link = answer.getByRole('link', { name: 'calcTotal', exact: true });
    await eventually(async () => {
      // Asked for anew each time that somebody looks.
      await answer.locator('code', { hasText: 'zqNowhere' }).hover();
      await answer.locator('code', { hasText: 'calcTotal' }).hover();
      return (await link.count()) > 0;
    });
    assert.equal(await answer.getByRole('link', { name: 'zqNowhere' }).count(), 0);
    await link.click();
    await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
    const source = await readFile(path.join(workspace, 'src/pricing.ts'), 'utf8');
    const line = source.split('\n').findIndex((one) => one.includes('function calcTotal')) + 1;
    await page
      .locator('.statusbar')
      .getByText(new RegExp(`^Ln ${line}, `))
      .waitFor();
  });

  scene('an answer is copied as markdown, its code as code, a part quoted', async (product) => {
    const { panel } = product;
    const answer = panel.articles('Claude').first();
    await answer.hover();
    await answer.getByRole('button', { name: 'Copy', exact: true }).click();
    await eventually(async () => (await pasted(product)) === ANSWER);
    await answer.locator('.md-code').hover();
    await answer.getByRole('button', { name: 'Copy code', exact: true }).click();
    await eventually(async () => (await pasted(product)).trimEnd() === CODE);
    await panel.message.fill('');
    // On the word: the line goes on behind it.
    await answer.locator('ol > li > ul > li > ul > li').dblclick({ position: { x: 10, y: 8 } });
    await answer.getByRole('button', { name: 'Quote', exact: true }).click();
    await eventually(async () => /^> .*innermost\n\n$/.test(await panel.message.inputValue()));
    await panel.message.fill('');
  });
}

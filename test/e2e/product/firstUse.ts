import assert from 'node:assert/strict';
import { message, say, text, toolUse } from '../../harness/model/script';
import { PLANTED } from '../../harness/model/demoScript';
import { eventually } from '../../harness/panelSandbox/eventually';
import { gate } from '../../harness/product/dialogue';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { toolCards } from '../../harness/tour/readTool';
import { openFile } from '../../harness/workbench';

/** Opens the file with the planted error and two more, and waits for the language server. */
async function openSample({ page }: Product): Promise<void> {
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Explorer/ })
    .click();
  const rows = page.locator('.explorer-folders-view');
  await rows.getByRole('treeitem', { name: 'src', exact: true }).click();
  for (const name of ['format.ts', 'pricing.ts']) await openFile(page, name);
  await openFile(page, 'report.ts');
  await page.locator('.squiggly-error').first().waitFor();
}

const ERRORS = 'which errors are in my open files?';

export function firstUse(scene: Scene): void {
  scene(
    'the first question is answered with the problems of the language server',
    async (product) => {
      const { page, dialogue, model } = product;
      const half = gate();
      dialogue.on(
        ERRORS,
        message([
          text('I ask the language'),
          half.step,
          text(' server.'),
          toolUse('mcp__code__diagnostics', { path: 'open' }),
        ]),
        say('There is one, in `report.ts`.'),
      );
      await openSample(product);
      const panel = await product.open();
      await panel.message.fill(ERRORS);
      await page.keyboard.press('Enter');
      const answer = panel.articles('Claude').first();
      // Half a sentence is there while the model still holds the rest.
      await answer.getByText('I ask the language', { exact: true }).waitFor();
      half.open();
      await panel.waitForAnswer(0);
      await answer.getByText('There is one, in report.ts.').waitFor();
      const told = product.requestsFor(ERRORS).at(-1)?.turn.results[0];
      assert.ok(told);
      assert.ok(told.text.includes(PLANTED.message), told.text);
      const card = toolCards(answer).first();
      await card.getByRole('button', { name: 'Problems, done', exact: true }).click();
      const shown = await card.getByRole('group', { name: 'Result', exact: true }).textContent();
      assert.equal(shown, told.text);
      assert.equal(model.requests.filter(({ isSide }) => !isSide).length, 2);
    },
  );

  scene('usage tells cost and tokens', async ({ panel }) => {
    assert.match((await panel.usage.getAttribute('aria-label')) ?? '', /^Usage: .*\$\d/);
    await panel.usage.click();
    const figures = await panel.usageFigures();
    assert.match(figures.get('Cost of the conversation') ?? '', /^\$0\.\d*[1-9]/);
    assert.match(figures.get('Tokens in, last turn') ?? '', /^[1-9]/);
    assert.match(figures.get('Tokens out, last turn') ?? '', /^[1-9]/);
    assert.equal(figures.get('Model turns, last prompt'), '2');
    await panel.usage.click();
  });

  scene('code in an answer has colours', async (product) => {
    const prompt = 'show me how';
    product.dialogue.on(prompt, say('So:\n\n```ts\nconst total = 1;\n```\n'));
    await product.panel.send(prompt);
    await (await product.panel.waitForAnswer(1)).getByText('const total').waitFor();
    const inside = product.frame.locator('body');
    await eventually(() =>
      inside.evaluate(() => {
        const [keyword] = CSS.highlights.get('code-keyword') ?? [];
        const { startContainer, startOffset = 0, endOffset } = keyword ?? {};
        return startContainer?.textContent?.slice(startOffset, endOffset) === 'const';
      }),
    );
  });

  scene('a second prompt goes on in the same conversation', async (product) => {
    const prompt = 'And which line?';
    product.dialogue.on(prompt, say('Line 12.'));
    await product.panel.send(prompt);
    await product.panel.waitForAnswer(2);
    const [request] = product.requestsFor(prompt);
    const said = JSON.stringify(request?.body.messages);
    assert.ok(said.includes('There is one, in `report.ts`.'), said);
    assert.ok(said.includes(ERRORS), said);
  });
}

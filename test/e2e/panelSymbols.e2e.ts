import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { text } from '../harness/panelSandbox/states';
import { talkState } from '../harness/panelSandbox/talkStates';

const { withPanel } = panelFixture();

const WORDS = 'Call `orderTotal` or `nobody`, run `npm test`.\n\n```ts\norderTotal();\n```\n';

function citing() {
  return talkState({
    items: [
      { kind: 'user', id: 'u1', text: 'How is `orderTotal` called?' },
      { kind: 'assistant', id: 'a1', blocks: [text('x1', WORDS)] },
    ],
  });
}

const link = ({ page }: SandboxPanel) =>
  page.getByRole('link', { name: 'orderTotal', exact: true });
const code = ({ page }: SandboxPanel, words: string) =>
  page.locator('.assistant :not(pre) > code', { hasText: words });
const answer = (panel: SandboxPanel) =>
  panel.send({
    type: 'symbols',
    found: [
      { name: 'orderTotal', count: 1 },
      { name: 'nobody', count: 0 },
    ],
  });

test('a cited name is looked up under the pointer, and is a link where the workspace knows it', async () => {
  await withPanel(citing(), {}, async (panel) => {
    await code(panel, 'orderTotal').waitFor();
    assert.equal(panel.sent('findSymbols').length, 0, 'nothing is asked before somebody looks');
    await code(panel, 'npm test').hover();
    await code(panel, 'orderTotal').hover();
    await eventually(() => panel.sent('findSymbols').length === 1);
    assert.deepEqual(panel.sent('findSymbols')[0]?.names, ['orderTotal']);
    await answer(panel);
    await link(panel).click();
    await eventually(() => panel.sent('openSymbol').length === 1);
    assert.equal(panel.sent('openSymbol')[0]?.name, 'orderTotal');
    await code(panel, 'nobody').click();
    assert.equal(panel.sent('openSymbol').length, 1);
    assert.equal(await panel.page.getByRole('link').count(), 1, 'and no block of code is one');
  });
});

test('by keyboard: the names in sight are looked up once the focus is in the conversation', async () => {
  await withPanel(citing(), {}, async (panel) => {
    const { page } = panel;
    await page.getByRole('log').focus();
    await eventually(() => panel.sent('findSymbols').length === 1);
    assert.deepEqual(panel.sent('findSymbols')[0]?.names, ['orderTotal', 'nobody']);
    await answer(panel);
    await link(panel).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    const focused = () => page.evaluate(() => document.activeElement?.className ?? '');
    for (
      let presses = 0;
      presses < 20 && !(await focused()).includes('symbol-link');
      presses += 1
    ) {
      await page.keyboard.press('Tab');
    }
    assert.match(await focused(), /symbol-link/);
    await page.keyboard.press('Enter');
    await eventually(() => panel.sent('openSymbol').length === 1);
  });
});

test('who selects a part of the text stays where they are, and a quotation has the plain name', async () => {
  await withPanel(citing(), {}, async (panel) => {
    await code(panel, 'orderTotal').hover();
    await eventually(() => panel.sent('findSymbols').length === 1);
    await answer(panel);
    await link(panel).dblclick();
    const selected = await panel.page.evaluate(() => getSelection()?.toString());
    assert.equal(selected?.trim(), 'orderTotal');
    await panel.page
      .locator('article.assistant')
      .getByRole('button', { name: 'Quote', exact: true })
      .click();
    const box = panel.page.getByRole('textbox', { name: 'Message', exact: true });
    await eventually(async () => /^> `?orderTotal`?/.test(await box.inputValue()));
  });
});

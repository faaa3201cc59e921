import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();

const button = ({ page }: SandboxPanel) =>
  page.getByRole('button', { name: 'More actions', exact: true });

test('a page that was used before shows and says nothing of it', async () => {
  let used: Page | undefined;
  let heard = 0;
  await withPanel(streamingState(), { width: 300, theme: 'light' }, async (panel) => {
    used = panel.page;
    panel.page.on('dialog', (dialog) => {
      heard += 1;
      void dialog.dismiss();
    });
    await message(panel).fill('half a thought');
    await button(panel).hover();
  });
  await withPanel(emptyState(), {}, async (panel) => {
    assert.equal(panel.page, used);
    await message(panel).waitFor();
    assert.equal(await message(panel).inputValue(), '');
    await panel.page.evaluate(() => {
      alert('nobody listens');
    });
    assert.equal(heard, 0);
    const look = await panel.page.evaluate(() => ({
      size: [window.innerWidth, window.innerHeight],
      hovered: document.querySelectorAll('button:hover').length,
      theme: document.body.className,
    }));
    assert.deepEqual(look, { size: [400, 980], hovered: 0, theme: 'vscode-dark' });
    assert.ok(panel.sent('ready').length > 0);
    assert.deepEqual(panel.sent('draft'), []);
    // What the earlier document says late, as by a timer, is not of this one.
    await panel.page.evaluate(() => {
      const post = (window as unknown as { sandboxPost: (turn: number, m: object) => void })
        .sandboxPost;
      post(1, { type: 'viewError', message: 'of an earlier turn' });
    });
    assert.deepEqual(panel.sent('viewError'), []);
  });
});

test('what needs a context of its own has a page of its own', async () => {
  let used: Page | undefined;
  await withPanel(emptyState(), {}, ({ page }) => {
    used = page;
    return Promise.resolve();
  });
  await withPanel(emptyState(), { context: { forcedColors: 'active' } }, async ({ page }) => {
    assert.notEqual(page, used);
    assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
  });
  await withPanel(emptyState(), {}, async ({ page }) => {
    assert.equal(page, used);
    assert.ok(!(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)));
  });
});

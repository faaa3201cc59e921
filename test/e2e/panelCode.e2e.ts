import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { streamingState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

test('code is copied, put at the cursor, opened as a file of its language, and wrapped', async () => {
  const long = `const a = '${'x'.repeat(500)}';`;
  await withPanel(streamingState(`\`\`\`ts\n${long}\n\`\`\`\n`), {}, async (panel) => {
    const press = (name: string) => panel.page.getByRole('button', { name, exact: true }).click();
    await press('Insert at the cursor');
    await press('Open as a new file');
    await press('Copy code');
    await eventually(() => panel.sent('copy').length === 1);
    assert.deepEqual(panel.sent('insertCode'), [{ type: 'insertCode', text: long }]);
    const opened = { type: 'openCode', text: long, language: 'ts' } as const;
    assert.deepEqual(panel.sent('openCode'), [opened]);
    const pre = panel.page.locator('.md-code pre');
    const isWide = () => pre.evaluate((box) => box.scrollWidth > box.clientWidth);
    assert.equal(await isWide(), true);
    await press('Wrap lines');
    const wrap = panel.page.getByRole('button', { name: 'Wrap lines', pressed: true });
    await wrap.waitFor();
    assert.equal(await isWide(), false);
    await wrap.click();
    assert.equal(await isWide(), true);
  });
});

test('links and copy buttons go to the host as written', async () => {
  await withPanel(
    streamingState('See [a](src/a.ts:12).\n\n```\ncode\n```\n'),
    {},
    async (panel) => {
      await panel.page.getByRole('link', { name: 'a', exact: true }).click();
      await panel.page.getByRole('button', { name: 'Copy code' }).click();
      await eventually(() => panel.sent('copy').length === 1);
      assert.deepEqual(panel.sent('openLink'), [{ type: 'openLink', href: 'src/a.ts:12' }]);
      assert.deepEqual(panel.sent('copy'), [{ type: 'copy', text: 'code' }]);
    },
  );
});

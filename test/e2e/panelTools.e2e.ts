import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { workState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

test('the row of a tool of a server shows the text that the model got, and its size', async () => {
  await withPanel(workState(), {}, async ({ page }) => {
    const row = page.getByRole('button', { name: 'Problems, done', exact: true });
    await row.click();
    const body = page.getByRole('group', { name: 'Problems, done', exact: true });
    const text = await body.getByRole('group', { name: 'Result', exact: true }).innerText();
    await body.getByText('151 characters', { exact: true }).waitFor();
    assert.equal(text.length, 151);
  });
});

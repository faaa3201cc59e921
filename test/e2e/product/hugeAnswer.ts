import assert from 'node:assert/strict';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const ASK = 'print every number';
const LINES = 100_000;

export function hugeAnswer(scene: Scene): void {
  scene('a fence of 100,000 lines is drawn in part and opened whole', async (product) => {
    const { dialogue, page, panel } = product;
    const numbers = Array.from({ length: LINES }, (_, at) => String(at + 1)).join('\n');
    dialogue.on(ASK, say(`All of them:\n\n\`\`\`text\n${numbers}\n\`\`\`\n\nThat was all.`));
    await begin(product);
    await panel.send(ASK);
    const answer = await panel.waitForAnswer(0);
    await answer.getByText('That was all.').waitFor();
    await answer.getByText('400 of 100,000 lines', { exact: true }).waitFor();
    const drawn = await answer.locator('.md-code pre').innerText();
    assert.equal(drawn.trimEnd().split('\n').length, 400);
    // The panel answers as ever.
    await panel.message.fill('still here');
    await panel.message.fill('');
    await answer.getByRole('button', { name: 'Open all of it', exact: true }).click();
    await page.locator('.tab.active', { hasText: /Untitled/ }).waitFor();
    await page.locator('.editor-instance .monaco-editor').first().click();
    await page.keyboard.press('Control+End');
    await page
      .locator('.statusbar')
      .getByText(/^Ln (?:100000|100001), /)
      .waitFor();
    const lines = page.locator('.editor-instance .view-line');
    await eventually(async () =>
      (await lines.allInnerTexts()).some((line) => line.trim() === String(LINES)),
    );
  });
}

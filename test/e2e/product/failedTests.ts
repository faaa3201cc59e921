import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { setSettings } from '../../harness/product/settings';
import { runCommand } from '../../harness/workbench';
import { begin } from './begin';

const RUN = 'npm test';
const FAILING = `import { test } from 'node:test';
test('the sum', () => { throw new Error('not the sum'); });
`;

/** Types a line into the terminal, as often as it takes: its shell may not be ready for it yet. */
async function playUntil(
  { page }: Product,
  line: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  await eventually(async () => {
    await page.locator('.terminal-wrapper.active textarea').first().focus();
    await page.keyboard.type(`${line}\n`);
    return eventually(isSo, 20_000).then(
      () => true,
      () => false,
    );
  });
}

/** A run of tests that failed, as the person runs it. */
export function failedTests(scene: Scene): void {
  scene('tests that failed in a terminal are offered until they pass', async (product) => {
    const { dialogue, frame, page, panel, workspace } = product;
    const file = path.join(workspace, 'sum.test.mjs');
    await writeFile(file, FAILING);
    // A shell that the editor has an integration for, whatever this machine starts by itself.
    await setSettings(product, { 'terminal.integrated.defaultProfile.linux': 'bash' });
    await product.open();
    await begin(product);
    await runCommand(page, 'Terminal: Create New Terminal');
    const offer = frame.getByRole('button', { name: /^Fix the failing test run: npm test/ });
    await playUntil(product, RUN, () => offer.isVisible());
    await offer.getByText('exit code 1', { exact: true }).waitFor();
    dialogue.on(/^Fix the failing test run/, say('It was the sum.'));
    await offer.click();
    await (await panel.waitForAnswer(0)).getByText('It was the sum.').waitFor();
    const prompt = 'Fix the failing test run: npm test (exit code 1).';
    assert.equal(product.requestsFor(prompt).length, 1);
    await rm(file);
    await begin(product);
    await offer.waitFor();
    await playUntil(product, RUN, async () => !(await offer.isVisible()));
    await runCommand(page, 'Terminal: Kill All Terminals');
    await setSettings(product, {});
    await product.open();
  });
}

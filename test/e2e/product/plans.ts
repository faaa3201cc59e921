import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../../harness/panelSandbox/eventually';
import { demoScript } from '../../harness/model/demoScript';
import { say } from '../../harness/model/script';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';

const PROMPT = 'plan the dates of the report';

export function plans(scene: Scene): void {
  scene(
    'a plan is edited and commented in its document, and the agent hears both',
    async (product) => {
      const { page, dialogue, panel, frame } = product;
      dialogue.on(PROMPT, demoScript);
      const number = await panel.articles('Claude').count();
      await panel.send(PROMPT);
      const plan = frame.getByRole('group', { name: 'Plan', exact: true });
      await plan.getByRole('button', { name: 'Open as document', exact: true }).click();
      const tab = page.locator('.tab.active', { hasText: 'plan-dates-in-the-report.md' });
      await tab.waitFor();
      await page.locator('.codelens-decoration').getByText('Waits for your answer').waitFor();
      await commentOn(product, 'Run the tests', 'Which tests?');
      await plan.getByText('Which tests?').waitFor();
      await page.locator('.editor-instance .view-lines').getByText('Run the tests').click();
      await page.keyboard.press('Home');
      await page.keyboard.type('3. Look at it');
      await page.keyboard.press('Enter');
      await plan.getByText('edited by you').waitFor();
      // The comment has gone down with its line.
      await plan
        .getByRole('list', { name: 'Comments' })
        .getByText('line 6', { exact: true })
        .waitFor();
      await savesItsPlan(product);
      await plan.getByRole('button', { name: 'Keep planning', exact: true }).click();
      const answer = await panel.waitForAnswer(number);
      await answer.getByText('You want to keep planning.').waitFor();
      const read = product.requestsFor(PROMPT).at(-1)?.turn.results.at(-1)?.text ?? '';
      assert.match(read, /1\. Line 6:\n> .*Run the tests\nWhich tests\?/);
      assert.match(read, /edited by the user[^]*3\. Look at it\n/);
      await page.locator('.codelens-decoration').getByText('No longer waits').waitFor();
      await page.locator('.tab.active:not(.dirty)', { hasText: 'plan-dates' }).waitFor();
      await runCommand(page, 'View: Close Editor');
      await tab.waitFor({ state: 'detached' });
    },
  );
}

/** What VS Code keeps of a document with unsaved changes is joined to its conversation again. */
export function plansAfterReload(scene: Scene): void {
  scene('after a reload a plan and its document are there with what was typed', async (product) => {
    const { page, panel, dialogue } = product;
    dialogue.on(PROMPT, demoScript);
    dialogue.on(/^You were interrupted/, say('Now I know.'));
    await panel.send(PROMPT);
    const plan = () => product.frame.getByRole('group', { name: 'Plan', exact: true });
    await plan().getByRole('button', { name: 'Open as document', exact: true }).click();
    const lines = page.locator('.editor-instance .view-lines');
    await lines.getByText('Run the tests').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Before ');
    await plan().getByText('Before 3. Run the tests').waitFor();
    await product.reload();
    await plan().getByText('Before 3. Run the tests').waitFor();
    await page.locator('.codelens-decoration').getByText('Waits for your answer').waitFor();
    await lines.getByText('Run the tests').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' after');
    await plan().getByText('Before 3. Run the tests after').waitFor();
    await plan().getByRole('button', { name: 'Approve', exact: true }).click();
    await product.frame.getByRole('log').getByText('Now I know.').waitFor();
    await page.locator('.tab.active:not(.dirty)', { hasText: 'plan-dates' }).waitFor();
    await product.frame.getByRole('button', { name: 'Permission mode: Ask' }).waitFor();
  });

  scene(
    'after one more reload the decided plan is still in its tab, and can only be read',
    async (product) => {
      const { page } = product;
      await product.reload();
      const lines = page.locator('.editor-instance .view-lines');
      // The edits went as the next message, since nobody waited for the answer: this is the proposal.
      await lines.getByText('Run the tests').waitFor();
      await page
        .locator('.codelens-decoration')
        .getByText('No longer waits for an answer')
        .waitFor();
      await runCommand(page, 'View: Close Editor');
    },
  );
}

/** By the dialog of a window in the browser, which is a box with the path. */
async function savesItsPlan({ page, frame, workspace }: Product): Promise<void> {
  await frame.getByRole('button', { name: 'Save in workspace…', exact: true }).click();
  const dialog = page.locator('.quick-input-widget:visible');
  await dialog.getByText('Save the plan').waitFor();
  const file = path.join(workspace, 'plan-dates-in-the-report.md');
  await eventually(async () => (await dialog.locator('input').first().inputValue()) === file);
  await dialog.getByText('OK', { exact: true }).click();
  await page.locator('.tab.active:not(.dirty)', { hasText: 'plan-dates' }).waitFor();
  await eventually(async () =>
    (await readFile(file, 'utf8').catch(() => '')).includes('Look at it'),
  );
  await runCommand(page, 'View: Close Editor');
  await rm(file);
}

/** By the editor's own command and reply box. */
async function commentOn({ page }: Product, line: string, words: string): Promise<void> {
  await page.locator('.editor-instance .view-lines').getByText(line).click();
  await runCommand(page, 'Comments: Add Comment on Current Selection');
  const widget = page.locator('.review-widget');
  const box = widget.locator('.comment-form .monaco-editor').first();
  await box.waitFor();
  await box.click();
  await page.keyboard.type(words);
  await box.getByText(words).waitFor();
  await widget
    .locator('.form-actions')
    .getByRole('button', { name: /^Comment/ })
    .click();
  await widget.locator('.comment-body').getByText(words).waitFor();
}

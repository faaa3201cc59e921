import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, text, toolUse } from '../../harness/model/script';
import { gate } from '../../harness/product/dialogue';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';

const TYPED = '// typed and not saved';
const CHANGE = 'rename the helper';

export function unsavedChanges(scene: Scene): void {
  scene('a write to a file with unsaved changes waits for Save and try again', async (product) => {
    const { page, dialogue, panel, workspace } = product;
    const file = path.join(workspace, 'src/format.ts');
    const edit = toolUse('Edit', {
      file_path: file,
      old_string: 'export function padEnd(',
      new_string: '// changed by the agent\nexport function padEnd(',
    });
    dialogue.on(CHANGE, message([edit]), say('The file is not saved.'));
    dialogue.on(
      /^I have saved format\.ts/,
      message([toolUse('Read', { file_path: file })]),
      message([edit]),
      say('Now it is changed.'),
    );
    await page
      .locator('.tabs-container')
      .getByRole('tab', { name: /^format\.ts/ })
      .click();
    await typeInEditor(product, `${TYPED}\n`);
    const before = await readFile(file, 'utf8');
    const number = await panel.articles('Claude').count();
    await panel.send(CHANGE);
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('The file is not saved.').waitFor();
    const [refusal] = product.requestsFor(CHANGE).at(-1)?.turn.results ?? [];
    assert.equal(refusal?.isError, true);
    assert.match(refusal.text, /unsaved changes/);
    assert.equal(await readFile(file, 'utf8'), before);
    await answer.getByRole('button', { name: 'Save and try again', exact: true }).click();
    const card = panel.permission(/^Permission request: Edit$/);
    await card.waitFor();
    assert.ok((await readFile(file, 'utf8')).startsWith(TYPED));
    await card.getByRole('button', { name: 'Allow once', exact: true }).click();
    const next = await panel.waitForAnswer(number + 1);
    await next.getByText('Now it is changed.').waitFor();
    const changed = await readFile(file, 'utf8');
    assert.ok(changed.startsWith(TYPED));
    assert.ok(changed.includes('// changed by the agent\nexport function padEnd('));
    const lines = page.locator('.editor-instance .view-lines');
    await lines.getByText('// changed by the agent').waitFor();
    await page.locator('.tab.active:not(.dirty)', { hasText: 'format.ts' }).waitFor();
  });
}

/** At the start of the file that is open. */
async function typeInEditor({ page }: Product, words: string): Promise<void> {
  await page.locator('.editor-instance .view-lines').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(words);
  await page.locator('.tab.active.dirty').waitFor();
}

const LONG = 'tell me everything';
const WAITING = 'and then this';
const LONG_AGAIN = 'tell me everything again';

export function stopping(scene: Scene): void {
  scene(
    'Stop ends the answer in mid-stream, and what waits goes only by Send now',
    async (product) => {
      const { dialogue, panel, frame } = product;
      const never = gate();
      dialogue.on(LONG, message([text('To begin with,'), never.step, text('never said.')]));
      dialogue.on(WAITING, say('This came after it.'));
      const number = await panel.articles('Claude').count();
      await panel.send(LONG);
      const answer = panel.articles('Claude').nth(number);
      await answer.getByText('To begin with,').waitFor();
      await panel.message.fill(WAITING);
      await panel.message.press('Enter');
      const queue = frame.getByRole('list', { name: 'Queued messages', exact: true });
      await queue.getByText(WAITING).waitFor();
      await panel.stopButton.click();
      await panel.waitForStatus(/^Idle/);
      await answer.getByText('Stopped', { exact: true }).waitFor();
      assert.equal(await answer.getByText('never said.').count(), 0);
      assert.equal(await product.requestsFor(LONG)[0]?.finished, false);
      assert.equal(product.requestsFor(WAITING).length, 0);
      await queue.getByRole('button', { name: 'Send now', exact: true }).click();
      const next = await panel.waitForAnswer(number + 1);
      await next.getByText('This came after it.').waitFor();
      assert.equal(await queue.count(), 0);
    },
  );

  scene('Escape stops as well, and the conversation goes on', async (product) => {
    const { page, dialogue, panel } = product;
    const never = gate();
    dialogue.on(LONG_AGAIN, message([text('Once more,'), never.step, text('never said.')]));
    dialogue.on('are you there?', say('Yes.'));
    const number = await panel.articles('Claude').count();
    await panel.send(LONG_AGAIN);
    const answer = panel.articles('Claude').nth(number);
    await answer.getByText('Once more,').waitFor();
    await panel.message.focus();
    await page.keyboard.press('Escape');
    await panel.waitForStatus(/^Idle/);
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await panel.send('are you there?');
    const next = await panel.waitForAnswer(number + 1);
    await next.getByText('Yes.').waitFor();
  });
}

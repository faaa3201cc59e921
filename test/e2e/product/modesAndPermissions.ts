import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errors, type Locator } from 'playwright-core';
import { PLANTED } from '../../harness/model/demoScript';
import { message, say, text, toolUse } from '../../harness/model/script';
import { gate } from '../../harness/product/dialogue';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { toolCards } from '../../harness/tour/readTool';
import { runCommand } from '../../harness/workbench';

const PLANNED = 'plan a command';
const TOOLS = 'use all the editor tools';

export function modes(scene: Scene): void {
  scene('all four editor tools run in Plan mode without a question', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(
      TOOLS,
      message([
        toolUse('mcp__editor__open_editors'),
        toolUse('mcp__editor__read_buffer', { path: 'src/report.ts' }),
        toolUse('mcp__code__diagnostics', { full: true }),
        toolUse('mcp__code__symbols', { query: 'calcTotal' }),
      ]),
      say('All four have answered.'),
    );
    await chooseMode(product, 'Plan');
    const number = await panel.articles('Claude').count();
    await panel.send(TOOLS);
    const answer = await panel.waitForAnswer(number);
    // A question would have held the turn for ever.
    await answer.getByText('All four have answered.').waitFor();
    assert.equal(await toolCards(answer).count(), 4);
    for (const name of ['Open editors', 'Read buffer', 'Problems', 'Symbols']) {
      const row = answer.getByRole('group', { name: `${name}, done`, exact: true });
      assert.equal(await row.count(), 1, name);
    }
    const results = product.requestsFor(TOOLS).at(-1)?.turn.results ?? [];
    assert.equal(results.length, 4);
    const wanted: Readonly<Record<string, string>> = {
      mcp__editor__open_editors: 'report.ts',
      mcp__editor__read_buffer: PLANTED.before,
      mcp__code__diagnostics: PLANTED.message,
      mcp__code__symbols: 'pricing.ts',
    };
    for (const { name, text: told, isError } of results) {
      assert.equal(isError, false, told);
      assert.ok(told.includes(wanted[name] ?? '?'), told);
    }
  });

  scene('in Plan mode a command of the model does not run', async (product) => {
    const { dialogue, panel, workspace } = product;
    const command = toolUse('Bash', { command: 'touch planned.txt', description: 'Leave a mark' });
    dialogue.on(PLANNED, message([command]), say('Only planned.'));
    const number = await panel.articles('Claude').count();
    await panel.send(PLANNED);
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Only planned.').waitFor();
    assert.equal(product.requestsFor(PLANNED).at(-1)?.turn.results[0]?.isError, true);
    assert.equal(existsSync(path.join(workspace, 'planned.txt')), false);
  });

  scene('the key goes round the modes from the message box', async ({ page, panel, frame }) => {
    await panel.message.focus();
    const modes = ['Ask', 'Accept edits', 'Plan', 'Auto'];
    const picker = frame.getByRole('button', { name: /^Permission mode: / });
    const label = (await picker.getAttribute('aria-label'))?.replace('Permission mode: ', '');
    const at = modes.indexOf(label ?? '');
    // Until it asks again, for the scenes that follow.
    for (const next of [...modes.slice(at + 1), 'Ask']) {
      await page.keyboard.press('Control+.');
      await frame.getByRole('button', { name: `Permission mode: ${next}`, exact: true }).waitFor();
    }
    // It is no key of the box: nothing was typed, and the focus is where it was.
    assert.equal(await panel.message.inputValue(), '');
    assert.equal(await panel.message.evaluate((e) => e === document.activeElement), true);
  });
}

/** Through the panel's picker, by keys alone. */
async function chooseMode({ page, panel, frame, tabTo }: Product, label: string): Promise<void> {
  const picker = frame.getByRole('button', { name: /^Permission mode: / });
  await panel.message.focus();
  await tabTo(picker, 'Tab');
  await page.keyboard.press('Enter');
  const list = frame.getByRole('listbox', { name: 'Permission mode', exact: true });
  await list.waitFor();
  await page.keyboard.press('Home');
  const option = list.getByRole('option').filter({ hasText: new RegExp(`^${label}`) });
  const id = await option.getAttribute('id');
  for (let count = await list.getByRole('option').count(); count > 0; count -= 1) {
    if ((await list.getAttribute('aria-activedescendant')) === id) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await frame.getByRole('button', { name: `Permission mode: ${label}`, exact: true }).waitFor();
}

const COMMAND = "node -e \"require('fs').appendFileSync('runs.txt', 'x')\"";
const DENIED = 'try a command';
const EDIT = 'mend the type error';
const TWICE = 'run it twice';
const AGAIN = 'run it once more';
const HIDDEN = 'run it while I look elsewhere';

export function permissions(scene: Scene): void {
  const command = toolUse('Bash', { command: COMMAND, description: 'Leave a mark' });

  scene('a reason typed with Deny reaches the model, by keys alone', async (product) => {
    const { page, dialogue, panel } = product;
    dialogue.on(DENIED, message([text('I run it.'), command]), say('Then not.'));
    const number = await panel.articles('Claude').count();
    await panel.send(DENIED);
    const card = panel.permission();
    await card.waitFor();
    await panel.waitForStatus(/^Waiting for permission/);
    await product.tabTo(card.getByRole('textbox', { name: 'Reason (optional)' }), 'Shift+Tab');
    await page.keyboard.type('Use the tests instead');
    await page.keyboard.press('Enter');
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Then not.').waitFor();
    const [result] = product.requestsFor(DENIED).at(-1)?.turn.results ?? [];
    assert.equal(result?.isError, true);
    assert.match(result.text, /Use the tests instead/);
    await answer.getByRole('group', { name: 'Run a command, denied', exact: true }).waitFor();
    assert.equal(existsSync(path.join(product.workspace, 'runs.txt')), false);
  });

  scene('Allow once lets an edit write its file, by keys alone', async (product) => {
    const { dialogue, panel, workspace } = product;
    const file = path.join(workspace, PLANTED.file);
    const edit = { file_path: file, old_string: PLANTED.before, new_string: PLANTED.after };
    dialogue.on(EDIT, message([toolUse('Edit', edit)]), say('It is mended.'));
    const number = await panel.articles('Claude').count();
    await panel.send(EDIT);
    const card = panel.permission(/^Permission request: Edit$/);
    await card.waitFor();
    assert.ok((await readFile(file, 'utf8')).includes(PLANTED.before));
    await pressAllow(product, card, 'Allow once');
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('It is mended.').waitFor();
    assert.ok((await readFile(file, 'utf8')).includes(PLANTED.after));
    await answer.getByRole('group', { name: 'Edit, done', exact: true }).waitFor();
  });

  scene('what is allowed for this conversation is not asked again', async (product) => {
    const { dialogue, panel, workspace } = product;
    dialogue.on(TWICE, message([command]), message([command]), say('Twice.'));
    dialogue.on(AGAIN, message([command]), say('Once more.'));
    const number = await panel.articles('Claude').count();
    await panel.send(TWICE);
    const card = panel.permission(/^Permission request: Run a command$/);
    await card.waitFor();
    await pressAllow(product, card, 'Allow for this conversation');
    await panel.waitForAnswer(number);
    await panel.send(AGAIN);
    const answer = await panel.waitForAnswer(number + 1);
    await answer.getByText('Once more.').waitFor();
    assert.equal(await readFile(path.join(workspace, 'runs.txt'), 'utf8'), 'xxx');
  });

  scene('a question that comes while the panel is hidden can be answered', async (product) => {
    const { page, dialogue, panel, workspace } = product;
    const other = toolUse('Bash', { command: 'touch elsewhere.txt', description: 'Leave a mark' });
    const hidden = gate();
    dialogue.on(HIDDEN, message([hidden.step, other]), say('Done while you looked elsewhere.'));
    const number = await panel.articles('Claude').count();
    await panel.send(HIDDEN);
    await hidden.reached;
    await product.hide();
    hidden.open();
    const toast = page.locator('.notifications-toasts .notification-list-item', {
      hasText: 'touch elsewhere.txt',
    });
    await toast.waitFor();
    const bar = page.locator('.statusbar-item', { hasText: 'The agent waits for your answer' });
    await bar.waitFor();
    await product.open();
    await bar.waitFor({ state: 'detached' });
    // The card is there as well: a notification is easily lost.
    await panel.permission().waitFor();
    await allowInNotification(product, 'touch elsewhere.txt');
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Done while you looked elsewhere.').waitFor();
    assert.equal(existsSync(path.join(workspace, 'elsewhere.txt')), true);
    assert.equal(await panel.permission().count(), 0);
  });
}

/** A key that was meant for the message box must not allow: the button answers a moment later. */
async function pressAllow(product: Product, card: Locator, name: string): Promise<void> {
  const { page } = product;
  const button = card.getByRole('button', { name, exact: true });
  await product.panel.message.focus();
  await product.tabTo(button, 'Shift+Tab');
  const gone = card.waitFor({ state: 'detached' }).then(() => true);
  for (let isGone = false; !isGone;) {
    await page.keyboard.press('Enter');
    isGone = await Promise.race([gone, nextFrame(page).then(() => false)]);
  }
}

/** A toast goes by itself after some seconds; what it says is then in the list of all of them. */
async function allowInNotification({ page, panel }: Product, words: string): Promise<void> {
  const notification = page.locator('.notification-list-item', { hasText: words }).first();
  const allow = notification.getByRole('button', { name: 'Allow once', exact: true });
  while ((await panel.permission().count()) > 0) {
    if (!(await allow.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
    await allow.click({ timeout: 5_000 }).catch((error: unknown) => {
      if (!(error instanceof errors.TimeoutError)) throw error;
    });
    await panel
      .permission()
      .waitFor({ state: 'detached', timeout: 5_000 })
      .catch(() => undefined);
  }
}

async function nextFrame(page: Product['page']): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

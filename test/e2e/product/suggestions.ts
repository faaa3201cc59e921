import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';

const FILE = '@src/format.ts#L1-2 what is here?';
const SYMBOL = /^@src\/pricing\.ts\S* what does it do\?$/;
const TERMINAL = '@terminal:selection what does it say?';
const TRAILED = 'and the folder?';

/** Types into the box, waits for the row, and takes it by Enter. */
export async function take(
  product: Product,
  typed: string,
  list: string,
  row: RegExp,
): Promise<Locator> {
  const { frame, page, panel } = product;
  await panel.message.fill('');
  await page.keyboard.type(typed);
  const rows = frame.getByRole('listbox', { name: list, exact: true }).getByRole('option');
  const wanted = rows.filter({ hasText: row }).first();
  await wanted.waitFor();
  // As often as it takes: rows of slower sources may come above it meanwhile.
  await eventually(async () => {
    if ((await wanted.getAttribute('aria-selected')) === 'true') return true;
    await page.keyboard.press('ArrowDown');
    return false;
  });
  await page.keyboard.press('Enter');
  await rows.first().waitFor({ state: 'detached' });
  return panel.message;
}

/** What is offered behind `@` and `/`, taken by keys alone. */
export function suggestions(scene: Scene): void {
  scene('a file is found behind @, and lines of it go with the message', async (product) => {
    const { dialogue, page, panel } = product;
    dialogue.on(FILE, say('Money is formatted there.'));
    const box = await take(product, '@frmt', 'Mentions', /format\.ts/);
    assert.equal(await box.inputValue(), '@src/format.ts ');
    await page.keyboard.press('Backspace');
    await page.keyboard.type(FILE.slice('@src/format.ts'.length));
    const number = await panel.articles('Claude').count();
    await page.keyboard.press('Enter');
    await (await panel.waitForAnswer(number)).getByText('Money is formatted there.').waitFor();
    const sent = JSON.stringify(product.requestsFor(FILE)[0]?.body.messages.at(-1));
    assert.ok(sent.includes('export function formatMoney'), sent);
    assert.ok(!sent.includes('export function formatDay'), sent);
  });

  scene(
    'a symbol is found behind @ by the language server, and its lines go too',
    async (product) => {
      const { dialogue, page } = product;
      dialogue.on(SYMBOL, say('It adds up.'));
      // The language server knows a project from its first file on.
      await page
        .locator('.tabs-container')
        .getByRole('tab', { name: /^pricing\.ts/ })
        .click();
      await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
      const panel = await product.open();
      const box = await take(product, '@calcTotal', 'Mentions', /calcTotal/);
      await eventually(async () => (await box.inputValue()).startsWith('@src/pricing.ts'));
      await page.keyboard.type('what does it do?');
      const number = await panel.articles('Claude').count();
      await page.keyboard.press('Enter');
      await (await panel.waitForAnswer(number)).getByText('It adds up.').waitFor();
      const [request] = product.model.requests.filter(({ turn }) => SYMBOL.test(turn.prompt));
      assert.ok(JSON.stringify(request?.body.messages.at(-1)).includes('function calcTotal'));
    },
  );

  scene('what is selected in a terminal goes with the message', async (product) => {
    const { dialogue, page } = product;
    dialogue.on(TERMINAL, say('It says forty-two.'));
    await runCommand(page, 'Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active textarea').focus();
    // What is printed is not what is typed: the line of the command is no proof.
    await page.keyboard.type('echo zq-$((40 + 2))\n');
    // The terminal draws on a canvas: what it has printed by now only the message can tell.
    await eventually(async () => {
      await runCommand(page, 'Terminal: Select All');
      const panel = await product.open();
      const number = await panel.articles('Claude').count();
      await panel.send(TERMINAL);
      await (await panel.waitForAnswer(number)).getByText('It says forty-two.').waitFor();
      const sent = JSON.stringify(product.requestsFor(TERMINAL).at(-1)?.body.messages.at(-1));
      return sent.includes('zq-42');
    });
    await runCommand(page, 'Terminal: Kill All Terminals');
  });

  scene('a command of the panel is run behind a slash, and sends nothing', async (product) => {
    const { frame, page, panel, model } = product;
    const asked = model.requests.length;
    await take(product, '/fin', 'Commands', /\/find/);
    const find = frame.getByRole('search', { name: 'Find in conversation', exact: true });
    await find.waitFor();
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    assert.equal(model.requests.length, asked);
    assert.equal(await panel.message.inputValue(), '');
  });

  scene('a command of the agent stands behind a slash with its words', async (product) => {
    const { frame, page, panel } = product;
    await panel.message.fill('');
    await page.keyboard.type('/comp');
    const rows = frame.getByRole('listbox', { name: 'Commands', exact: true }).getByRole('option');
    await rows
      .filter({ hasText: /^\/compact/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await rows.first().waitFor({ state: 'detached' });
    await panel.message.fill('');
  });

  scene('Up brings the last message back, and a draft is not lost by it', async (product) => {
    const { dialogue, page, panel } = product;
    dialogue.on(TRAILED, say('It is small.'));
    const number = await panel.articles('Claude').count();
    await panel.send(TRAILED);
    await (await panel.waitForAnswer(number)).getByText('It is small.').waitFor();
    await panel.message.focus();
    await page.keyboard.press('ArrowUp');
    await eventually(async () => (await panel.message.inputValue()) === TRAILED);
    await page.keyboard.press('ArrowDown');
    await eventually(async () => (await panel.message.inputValue()) === '');
  });
}

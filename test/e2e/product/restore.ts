import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { message, say, text, toolUse } from '../../harness/model/script';
import { realCliPath } from '../../harness/paths';
import { commandOf, processesWith, untilGone } from '../../harness/processes';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { findCliPid } from '../../harness/tour/cliProcess';
import { runCommand } from '../../harness/workbench';

const SAID = 'remember the blue cart';
const NEXT = 'which cart was it?';
const LAST = 'and after the kill?';
const NAP = 'follow the cart';
const DRAFT = 'half a question';

/** A conversation of the side bar outlives its window, and the process behind it. */
export function restore(scene: Scene): void {
  scene('a conversation is back after the window was loaded anew, and goes on', async (product) => {
    const { page, dialogue, panel, frame } = product;
    await frame.getByRole('button', { name: 'New conversation', exact: true }).click();
    await panel.articles('You').first().waitFor({ state: 'detached' });
    dialogue.on(
      SAID,
      message([text('I look at it.'), toolUse('Read', { file_path: 'src/cart.ts' })]),
      say('The cart is blue.'),
    );
    dialogue.on(NEXT, say('The blue one.'));
    const number = await panel.articles('Claude').count();
    await panel.send(SAID);
    await (await panel.waitForAnswer(number)).getByText('The cart is blue.').waitFor();
    const before = await said(product);
    const agent = familyOf(await findCliPid(process.pid, realCliPath));
    assert.ok(agent().length > 0);
    await reloadWindow(page);
    await product.open();
    await untilGone(agent());
    await panel.articles('Claude').nth(number).getByText('The cart is blue.').waitFor();
    assert.deepEqual(await said(product), before);
    assert.equal(product.requestsFor(SAID).length, 2, 'nothing was asked again');

    await panel.send(NEXT);
    await (await panel.waitForAnswer(number + 1)).getByText('The blue one.').waitFor();
    const [request] = product.requestsFor(NEXT);
    assert.ok(JSON.stringify(request?.body.messages).includes('The cart is blue.'));
  });

  scene('a conversation is back after the extension host was killed', async (product) => {
    const { page, dialogue, panel } = product;
    dialogue.on(LAST, say('Still the blue one.'));
    // Reads only, so nobody is asked; it runs on beside the conversation.
    const command = 'tail -f src/cart.ts';
    dialogue.on(
      NAP,
      message([toolUse('Bash', { command, description: 'Follow', run_in_background: true })]),
      say('It is followed.'),
    );
    const first = await panel.articles('Claude').count();
    await panel.send(NAP);
    await (await panel.waitForAnswer(first)).getByText('It is followed.').waitFor();
    const number = await panel.articles('Claude').count();
    const before = await said(product);
    await panel.message.fill(DRAFT);
    await panel.message.blur();
    // A kill between the key and the file is not what this is about.
    await eventually(() => isOnDisk(product.server.dataFolder, DRAFT), 90_000);
    const cli = await findCliPid(process.pid, realCliPath);
    const agent = familyOf(cli);
    const pids = agent();
    assert.ok(pids.map(commandOf).some((words) => words.includes(command)));
    process.kill(await parentOf(cli), 'SIGKILL');
    const took = await untilGone(pids);
    assert.ok(took < 5000, `the agent's processes lived on for ${took} ms`);
    assert.deepEqual(agent().map(commandOf), []);
    await reloadWindow(page);
    await product.open();
    await panel
      .articles('Claude')
      .nth(number - 1)
      .waitFor();
    assert.deepEqual(await said(product), before);
    assert.equal(await panel.message.inputValue(), DRAFT);
    await panel.send(LAST);
    await (await panel.waitForAnswer(number)).getByText('Still the blue one.').waitFor();
  });
}

/** The last scene: there is no window after it. */
export function closing(scene: Scene): void {
  scene('a closed window takes its agent with it', async ({ page }) => {
    const agent = familyOf(await findCliPid(process.pid, realCliPath));
    const pids = agent();
    await page.close({ runBeforeUnload: true });
    await untilGone(pids);
    assert.deepEqual(agent().map(commandOf), []);
  });
}

async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent('domcontentloaded');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
}

/** Whether a draft file of the extension holds the text. */
async function isOnDisk(folder: string, words: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => path.basename(entry) === 'drafts.json');
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(folder, file), 'utf8').catch(() => '')),
  );
  return texts.some((text) => text.includes(words));
}

/** All that this agent has started, wherever it went: looked up anew at each call (Linux). */
function familyOf(pid: number): () => number[] {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const mark = environment.find((variable) => variable.startsWith('PATCHBAY_FAMILY='));
  assert.ok(mark !== undefined);
  return () => processesWith(mark);
}

/** The process that started this one (Linux). */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** What the person reads, by speaker. Lengths of time are measured anew. */
async function said({ panel }: Product): Promise<readonly string[]> {
  await panel.scrollToEnd();
  const words = await panel.allArticles.allInnerTexts();
  return words.map((one) =>
    one
      .replace(/\d+(?:\.\d+)? m?s\b/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PLANTED } from '../../harness/model/demoScript';
import { say } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { openFile } from '../../harness/workbench';
import { begin } from './begin';
import { take } from './suggestions';

const run = promisify(execFile);

const EARLIER = 'feed the zqParrot';
const GIVEN = 'zqGiven';

/** What the model got with the message that was sent last. */
function given(product: Product): string {
  const [request] = product.model.requests
    .filter(({ isSide, turn }) => !isSide && turn.prompt.endsWith(GIVEN))
    .slice(-1);
  return JSON.stringify(request?.body.messages);
}

/** Sends what stands in the box with a mark behind it, and waits for the answer. */
async function sendGiven(product: Product): Promise<string> {
  const { dialogue, page, panel } = product;
  dialogue.on(/zqGiven$/, say('I see.'));
  const number = await panel.articles('Claude').count();
  await panel.message.press('End');
  await page.keyboard.type(GIVEN);
  await panel.message.press('Enter');
  await panel.waitForAnswer(number);
  return given(product);
}

/** A repository with one commit. */
export async function makeRepository(workspace: string): Promise<void> {
  const who = ['-c', 'user.name=Person', '-c', 'user.email=person@example.com'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-q', '-m', 'first'],
  ]) {
    await run('git', [...who, ...args], { cwd: workspace });
  }
}

/** What can be named behind `@` beside files, symbols and a terminal. */
export function mentionKinds(scene: Scene): void {
  scene('what is open is offered first, and a folder goes with its names', async (product) => {
    const { dialogue, frame, page, panel } = product;
    dialogue.on(EARLIER, say('It is fed.'));
    await panel.send(EARLIER);
    await panel.waitForAnswer(0);
    await begin(product);
    const explorer = page.locator('.activitybar').getByRole('tab', { name: /^Explorer/ });
    await explorer.click();
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src' }).click();
    for (const name of ['format.ts', 'report.ts']) await openFile(page, name);
    await page.locator('.squiggly-error').first().waitFor();
    await product.open();
    await panel.message.fill('');
    await page.keyboard.type('@');
    const list = frame.getByRole('listbox', { name: 'Mentions', exact: true });
    const files = list.getByRole('option').filter({ hasNotText: 'Problems' });
    await eventually(async () => {
      const [first = '', second = ''] = await files.locator('.suggest-label').allInnerTexts();
      return first === 'report.ts' && second === 'format.ts';
    });
    await page.keyboard.press('Escape');
    const box = await take(product, '@src', 'Mentions', /^\s*src\/[^]*Folder/);
    assert.equal(await box.inputValue(), '@src/ ');
    const sent = await sendGiven(product);
    assert.ok(sent.includes('pricing.ts') && sent.includes('rounding.js'), sent);
  });

  scene('the problems of the workspace go with the message', async (product) => {
    const { frame } = product;
    const box = await take(product, '@prob', 'Mentions', /Problems(?! in)[^]*1 error/);
    assert.equal(await box.inputValue(), '@problems ');
    const sent = await sendGiven(product);
    assert.ok(sent.includes('src/report.ts') && sent.includes(PLANTED.message.slice(0, 20)), sent);
    await frame.getByRole('button', { name: 'Sent: Problems', exact: true }).click();
    await frame.getByRole('group', { name: 'Problems' }).getByText(PLANTED.message).waitFor();
  });

  scene('what differs from the last commit goes with its lines', async (product) => {
    const { dialogue, frame, page, panel, workspace } = product;
    const file = path.join(workspace, 'README.md');
    await writeFile(file, '# The zqRenamed shop\n');
    // The editor looks for changes in its own time; then the branch has a star.
    await page
      .locator('.statusbar')
      .getByText(/main\*/)
      .waitFor();
    const box = await take(product, '@git', 'Mentions', /Git changes[^]*1 file/);
    assert.equal(await box.inputValue(), '@git:changes ');
    const sent = await sendGiven(product);
    assert.ok(
      sent.includes('git_changes=\\"main\\"') && sent.includes('+# The zqRenamed shop'),
      sent,
    );
    // An empty conversation offers to look at it.
    await begin(product);
    const offer = frame.getByRole('button', {
      name: /Review what I changed since the last commit/,
    });
    await offer.getByText('1 file', { exact: true }).waitFor();
    dialogue.on(/@git:changes$/, say('A new name.'));
    await offer.click();
    await (await panel.waitForAnswer(0)).getByText('A new name.').waitFor();
    await frame.getByRole('button', { name: 'Sent: Git changes', exact: true }).waitFor();
  });

  scene('another conversation is named by what it was about', async (product) => {
    const box = await take(product, '@zqParrot', 'Mentions', /feed the zqParrot/);
    await eventually(async () =>
      /^@"conversation:feed the zqParrot [0-9a-f]{8}" $/.test(await box.inputValue()),
    );
    const sent = await sendGiven(product);
    assert.ok(sent.includes(`It began with: ${EARLIER}`), sent);
    assert.ok(sent.includes('It is fed.'), sent);
  });
}

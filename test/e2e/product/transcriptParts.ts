import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fault, message, say, text, thinking, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { openFile } from '../../harness/workbench';
import { begin } from './begin';

const THINK = 'think about it first';
const THOUGHT = 'A careful thought of zq.';
const BUSY = 'ask the busy model';
const LONG = 'count to four hundred';
const SERVE = 'start the server';
const WRITE = 'write a new file';
const MARKED = 'say it in code';

async function allow({ panel }: Product): Promise<void> {
  const card = panel.permission();
  await card.getByRole('button', { name: 'Allow once', exact: true }).click();
  await card.waitFor({ state: 'detached' });
}

/** Kinds of parts that an answer of the real agent has. */
export function transcriptParts(scene: Scene): void {
  scene('thinking is folded with how long it took, and opens', async (product) => {
    const { dialogue, panel } = product;
    dialogue.on(THINK, message([thinking(THOUGHT), text('Done thinking.')]));
    await begin(product);
    await panel.send(THINK);
    const answer = await panel.waitForAnswer(0);
    await answer.getByText('Done thinking.').waitFor();
    const fold = answer.getByRole('button', { name: 'Thinking', exact: true });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    assert.equal(await answer.getByText(THOUGHT).count(), 0);
    await answer.locator('.thinking .figure', { hasText: /\d/ }).waitFor();
    await fold.click();
    await answer.getByText(THOUGHT).waitFor();
  });

  scene('a busy model is asked again by itself, and the panel says when', async (product) => {
    const { dialogue, panel, frame } = product;
    let asked = 0;
    dialogue.on(BUSY, () => {
      asked += 1;
      return asked === 1 ? fault(529, 'overloaded_error', 'Overloaded', 3) : say('Now it answers.');
    });
    await panel.send(BUSY);
    await frame
      .getByText(/^Trying again/)
      .first()
      .waitFor();
    await panel.articles('Claude').getByText('Now it answers.').waitFor();
    await panel.waitForStatus(/^Idle/);
    assert.equal(await frame.getByText(/^Trying again/).count(), 0);
  });

  scene('long output shows its end, with all of it a press away', async (product) => {
    const { dialogue, panel } = product;
    const run = toolUse('Bash', { command: 'seq 1 400', description: 'Count' });
    dialogue.on(LONG, message([run]), say('Counted.'));
    const number = await panel.articles('Claude').count();
    await panel.send(LONG);
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Counted.').waitFor();
    const row = answer.getByRole('group', { name: 'Run a command, done', exact: true });
    await row.getByRole('button', { name: 'Run a command, done', exact: true }).click();
    const output = row.getByRole('group', { name: 'Result', exact: true });
    const lines = async () => ((await output.textContent()) ?? '').split('\n');
    assert.equal((await lines()).at(-1), '400');
    assert.ok(!(await lines()).includes('17'));
    await row.getByRole('button', { name: 'Show more of 400 lines', exact: true }).click();
    await eventually(async () => (await lines()).includes('17'));
  });

  scene('what runs in the background is listed, and Stop ends it', async (product) => {
    const { dialogue, panel, frame } = product;
    const run = { command: 'sleep 321', description: 'Serve', run_in_background: true };
    dialogue.on(SERVE, message([toolUse('Bash', run)]), say('It runs.'));
    await panel.send(SERVE);
    await panel.articles('Claude').getByText('It runs.').waitFor();
    const tasks = frame.getByRole('list', { name: 'Background tasks', exact: true });
    await tasks.getByRole('listitem').first().waitFor();
    await tasks.getByRole('button', { name: /^Stop / }).click();
    await tasks.waitFor({ state: 'detached' });
  });

  scene('a file that is written stands with its lines, and its name opens it', async (product) => {
    const { dialogue, page, panel, workspace } = product;
    const file = path.join(workspace, 'notes.txt');
    dialogue.on(
      WRITE,
      message([toolUse('Write', { file_path: file, content: 'first zq line\nsecond\n' })]),
      say('Written.'),
    );
    const number = await panel.articles('Claude').count();
    await panel.send(WRITE);
    await allow(product);
    const answer = await panel.waitForAnswer(number);
    await answer.getByText('Written.').waitFor();
    assert.equal(await readFile(file, 'utf8'), 'first zq line\nsecond\n');
    const row = answer.getByRole('group', { name: 'Write a file, done', exact: true });
    await row.getByText('first zq line').first().waitFor();
    await row.getByRole('link', { name: 'notes.txt' }).first().click();
    await page.locator('.tab.active', { hasText: 'notes.txt' }).waitFor();
  });

  scene(
    'code is wrapped on demand; own messages are gone through; all is folded',
    async (product) => {
      const { dialogue, page, panel } = product;
      dialogue.on(MARKED, say(`So:\n\n\`\`\`ts\nconst wide = '${'x'.repeat(400)}';\n\`\`\`\n`));
      const number = await panel.articles('Claude').count();
      await panel.send(MARKED);
      const answer = await panel.waitForAnswer(number);
      const pre = answer.locator('.md-code pre');
      const isWide = () => pre.evaluate((box) => box.scrollWidth > box.clientWidth);
      assert.equal(await isWide(), true);
      await answer.getByRole('button', { name: 'Wrap lines', exact: true }).click();
      await eventually(async () => !(await isWide()));
      await panel.message.focus();
      await page.keyboard.press('Alt+ArrowUp');
      const own = panel.articles('You');
      await eventually(() =>
        own.evaluateAll((all) => all.some((one) => one.contains(document.activeElement))),
      );
      const open = product.frame.locator('.column .tool [aria-expanded="true"]');
      assert.ok((await open.count()) > 0);
      await product.frame.getByRole('button', { name: 'More actions', exact: true }).click();
      await product.frame.getByRole('menuitem', { name: 'Collapse all', exact: true }).click();
      await eventually(async () => (await open.count()) === 0);
    },
  );

  scene('an empty conversation offers what the workspace needs', async (product) => {
    const { page, panel, frame, dialogue } = product;
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer/ })
      .click();
    const src = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src' });
    if ((await src.getAttribute('aria-expanded')) !== 'true') await src.click();
    await openFile(page, 'report.ts');
    await page.locator('.squiggly-error').first().waitFor();
    await product.open();
    await begin(product);
    const offer = frame.getByRole('button', { name: /report\.ts/ }).first();
    await offer.waitFor();
    dialogue.on(/report\.ts/, say('I look at it.'));
    await offer.click();
    await (await panel.waitForAnswer(0)).getByText('I look at it.').waitFor();
    assert.equal(await panel.articles('You').count(), 1);
  });

  scene('a conversation is made shorter by /compact, and says so in its place', async (product) => {
    const { panel, frame } = product;
    await panel.send('/compact');
    await frame.getByRole('log').getByText('The conversation was compacted').waitFor();
    await panel.waitForStatus(/^Idle/);
    assert.equal(await panel.articles('You').filter({ hasText: 'report.ts' }).count(), 1);
  });
}

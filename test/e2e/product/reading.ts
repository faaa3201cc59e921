import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';
import { exportAs } from './exporting';

const ASK = 'where is the sum made?';
const CODE = ['const sum = 1;', 'const more = 2;'].join('\n');
const ANSWER = [
  'In `calcTotal`, see src/pricing.ts:3:1.',
  '',
  '| file | lines |',
  '| --- | --- |',
  '| pricing.ts | 3 |',
  '',
  '- [x] read',
  '- [ ] changed',
  '',
  '```ts',
  CODE,
  '```',
].join('\n');
const OTHER = 'and a marmot?';

const button = ({ frame }: Product, name: string) =>
  frame.getByRole('button', { name, exact: true });

async function fromMenu(product: Product, role: 'menuitem' | 'menuitemcheckbox', name: string) {
  await button(product, 'More actions').click();
  await product.frame.getByRole(role, { name, exact: true }).click();
}

/** What a person does with what was said. */
export function reading(scene: Scene): void {
  scene(
    'an answer has its table, its tasks, and a link that opens the file there',
    async (product) => {
      const { dialogue, frame, page, panel } = product;
      dialogue.on(
        ASK,
        message([toolUse('Read', { file_path: path.join(product.workspace, 'src/pricing.ts') })]),
        say(ANSWER),
      );
      dialogue.on(OTHER, say('No marmot here.'));
      await begin(product);
      await panel.send(ASK);
      const answer = await panel.waitForAnswer(0);
      await answer.getByRole('columnheader', { name: 'lines', exact: true }).waitFor();
      await answer.getByRole('listitem').filter({ hasText: '☑ read' }).waitFor();
      await answer.getByRole('link', { name: 'src/pricing.ts:3:1', exact: true }).click();
      await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
      await page.locator('.statusbar').getByText('Ln 3, Col 1').waitFor();
      await frame.getByRole('log').waitFor();
    },
  );

  scene(
    'code of an answer is put at the cursor, and opened as a file of its own',
    async (product) => {
      const { page, panel } = product;
      const answer = panel.articles('Claude').first();
      const of = (name: string) => answer.getByRole('button', { name, exact: true });
      await answer.locator('.md-code').hover();
      await of('Open as a new file').click();
      await page.locator('.tab.active', { hasText: /Untitled/ }).waitFor();
      await page.locator('.editor-instance .view-lines').getByText('const more = 2;').waitFor();
      await answer.locator('.md-code').hover();
      await of('Insert at the cursor').click();
      await eventually(async () => {
        const lines = await page.locator('.editor-instance .view-line').allInnerTexts();
        return lines.filter((line) => /const.more/.test(line)).length === 2;
      });
    },
  );

  scene('words are found in the conversation, with their number', async (product) => {
    const { frame, page, panel } = product;
    await panel.send(OTHER);
    await panel.waitForAnswer(1);
    await panel.message.focus();
    await page.keyboard.press('Control+f');
    const bar = frame.getByRole('search', { name: 'Find in conversation', exact: true });
    await bar.waitFor();
    await page.keyboard.type('marmot');
    await bar.getByText('2 of 2', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await bar.getByText('1 of 2', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await eventually(() => panel.message.evaluate((box) => box === document.activeElement));
  });

  scene('an answer is pinned, quoted into the box, and found by its pin', async (product) => {
    const { frame, panel } = product;
    const answer = panel.articles('Claude').nth(1);
    await answer.hover();
    await answer.getByRole('button', { name: 'Pin', exact: true }).click();
    const pins = frame.getByRole('list', { name: 'Pinned answers', exact: true });
    await pins.getByText('No marmot here.').waitFor();
    await answer.getByRole('button', { name: 'Quote', exact: true }).click();
    await eventually(async () => (await panel.message.inputValue()) === '> No marmot here.\n\n');
    await panel.message.fill('');
    await pins.getByRole('button', { name: 'Unpin', exact: true }).click();
    await pins.waitFor({ state: 'detached' });
  });

  scene(
    "the focus view folds each turn's work into one line, and gives it back",
    async (product) => {
      const { panel } = product;
      const answer = panel.articles('Claude').first();
      const read = answer.getByRole('group', { name: 'Read a file, done', exact: true });
      await read.waitFor();
      await fromMenu(product, 'menuitemcheckbox', 'Focus view');
      await read.waitFor({ state: 'hidden' });
      await answer.getByRole('columnheader', { name: 'lines', exact: true }).waitFor();
      await fromMenu(product, 'menuitemcheckbox', 'Focus view');
      await read.waitFor();
    },
  );

  scene('the conversation is written into a Markdown file', async (product) => {
    const target = await exportAs(product, 'Markdown', 'talk.md');
    await eventually(async () => {
      const written = await readFile(target, 'utf8').catch(() => '');
      return written.includes(ASK) && written.includes(CODE) && written.includes(OTHER);
    });
  });
}

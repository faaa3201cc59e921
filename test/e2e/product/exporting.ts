import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';
import { say } from '../../harness/model/script';

const ASK = 'tell me of <b>otters</b>';
const ANSWER = 'Otters **float**.\n\n<script>alert(1)</script>';

/** Writes the conversation into a file of the workspace. Returns its path. */
export async function exportAs(
  { frame, page, workspace }: Product,
  format: string,
  name: string,
): Promise<string> {
  await frame.getByRole('button', { name: 'More actions', exact: true }).click();
  await frame.getByRole('menuitem', { name: 'Export conversation…', exact: true }).click();
  const input = page.locator('.quick-input-widget');
  await input.getByText('Which format?').or(input.getByPlaceholder('Which format?')).waitFor();
  await input.locator('.monaco-list-row').filter({ hasText: format }).click();
  const box = input.locator('input').first();
  await eventually(async () => (await box.inputValue()).endsWith(path.extname(name)));
  const target = path.join(workspace, name);
  await box.fill(target);
  await page.keyboard.press('Enter');
  return target;
}

const written = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

export function exporting(scene: Scene): void {
  scene(
    'the conversation is written as a page that stands alone, and for programs',
    async (product) => {
      const { dialogue, panel } = product;
      dialogue.on(ASK, say(ANSWER));
      await begin(product);
      await panel.send(ASK);
      await (await panel.waitForAnswer(0)).getByText('float').waitFor();
      const page = await exportAs(product, 'HTML', 'otters.html');
      await eventually(async () => (await written(page)).endsWith('</html>\n'));
      const html = await written(page);
      assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
      assert.ok(html.includes('tell me of &lt;b&gt;otters&lt;/b&gt;'), html);
      assert.ok(html.includes('<strong>float</strong>'), html);
      assert.doesNotMatch(html, /<script|<link|<img|\ssrc=/);
      const lines = await exportAs(product, 'JSON Lines', 'otters.jsonl');
      await eventually(async () => (await written(lines)).endsWith('\n'));
      const items = (await written(lines))
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      const said = items.filter((item) => JSON.stringify(item).includes('tters'));
      assert.deepEqual(
        said.map((item) => (item as { readonly kind: string }).kind),
        ['user', 'assistant'],
      );
      assert.ok(JSON.stringify(said[1]).includes('Otters **float**.'));
    },
  );
}

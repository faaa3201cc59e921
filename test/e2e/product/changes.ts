import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const CHANGE = 'change two files';
const MADE = 'export const made = 1;\n';

export function changes(scene: Scene): void {
  scene(
    'changed files are listed, one is reviewed and undone, Redo brings it back, the rest is kept',
    async (product) => {
      const { page, dialogue, panel, frame, workspace } = product;
      const file = path.join(workspace, 'src/format.ts');
      const made = path.join(workspace, 'src/made.ts');
      const before = await readFile(file, 'utf8');
      dialogue.on(
        CHANGE,
        message([
          toolUse('Read', { file_path: file }),
          toolUse('Edit', {
            file_path: file,
            old_string: 'export function padEnd(',
            new_string: '// by the agent\nexport function padEnd(',
          }),
          toolUse('Write', { file_path: made, content: MADE }),
        ]),
        say('Both are changed.'),
      );
      await begin(product);
      await panel.send(CHANGE);
      await allow(product, /^Permission request: Edit$/);
      await allow(product, /^Permission request: Write a file$/);
      await panel.waitForStatus(/^Idle/);
      const region = frame.getByRole('region', { name: 'Changes', exact: true });
      await region.getByRole('button', { name: '2 files changed +2 −0', exact: true }).click();
      const rows = region.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
      const row = rows.filter({ hasText: 'format.ts' });

      await row.getByRole('button', { name: 'Review', exact: true }).click();
      const tab = page.getByRole('tab', { name: /format\.ts \(before ↔ now\)/ });
      await tab.waitFor();
      await page
        .locator('.monaco-diff-editor .editor.modified .view-lines')
        .getByText('// by the agent')
        .waitFor();

      await row.getByRole('button', { name: 'Undo', exact: true }).click();
      await region.getByText('Undone: src/format.ts').waitFor();
      await rows.filter({ hasText: 'made.ts' }).waitFor();
      assert.equal(await rows.count(), 1);
      assert.equal(await readFile(file, 'utf8'), before);

      await region.getByRole('button', { name: 'Redo', exact: true }).click();
      await row.waitFor();
      assert.ok((await readFile(file, 'utf8')).includes('// by the agent'));
      await row.getByRole('button', { name: 'Undo', exact: true }).click();
      await row.waitFor({ state: 'detached' });

      await region.getByRole('button', { name: 'Keep all', exact: true }).click();
      await rows.first().waitFor({ state: 'detached' });
      assert.equal(await readFile(made, 'utf8'), MADE);
      await eventually(async () => (await readFile(file, 'utf8')) === before);
      await tab.getByLabel(/^Close/).click();
    },
  );
}

async function allow({ panel }: Product, name: RegExp): Promise<void> {
  const card = panel.permission(name);
  await card.getByRole('button', { name: 'Allow once', exact: true }).click();
  await card.waitFor({ state: 'detached' });
}

import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DEMO_TOOL } from '../../harness/model/demoToolFile';
import { message, say, toolUse } from '../../harness/model/script';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { toolCards } from '../../harness/tour/readTool';

const WRITE = 'write yourself a tool file';
const CALL = 'call your own tool';

export function toolFiles(scene: Scene): void {
  scene(
    'the agent writes a tool file, the person approves it, and the agent calls its tool with no restart',
    async (product) => {
      const { dialogue, panel, workspace } = product;
      const file = path.join(workspace, DEMO_TOOL.file);
      try {
        const write = toolUse('Write', { file_path: file, content: DEMO_TOOL.source });
        dialogue.on(WRITE, message([write]), say('Written.'));
        dialogue.on(CALL, message([toolUse(DEMO_TOOL.wireName)]), say('Called.'));
        await turn(product, WRITE, async () => {
          const permission = panel.permission(/^Permission request: /);
          await permission.getByText('.patchbay').first().waitFor();
          await permission.getByRole('button', { name: 'Allow once', exact: true }).click();
        });
        const card = panel.approval(/^Approval: Tool files of /);
        await card.getByText('runs inside the editor with your rights').waitFor();
        const change = card.getByRole('group', { name: `Change of ${DEMO_TOOL.file}` });
        assert.match(await change.innerText(), /languages\.getDiagnostics/);
        await card.getByRole('button', { name: 'Approve', exact: true }).click();
        await card.waitFor({ state: 'detached' });
        await turn(product, CALL, async () => {
          const permission = panel.permission(/^Permission request: /);
          await permission.getByText(`From ${DEMO_TOOL.file} of this workspace`).waitFor();
          await permission.getByRole('button', { name: 'Allow once', exact: true }).click();
        });
        const [result] = product.requestsFor(CALL).at(-1)?.turn.results ?? [];
        assert.ok(result);
        assert.equal(result.isError, false, result.text);
        assert.match(result.text, /^\{/);
      } finally {
        await forget(product);
      }
    },
  );

  scene(
    'a tool file that the person does not run offers nothing, and changed by another program it is asked about anew',
    async (product) => {
      const { panel, workspace } = product;
      const file = path.join(workspace, DEMO_TOOL.file);
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, `${DEMO_TOOL.source}// from a colleague\n`);
        const card = panel.approval(/^Approval: Tool files of /);
        await card.getByText('// from a colleague').waitFor();
        await card.getByRole('button', { name: "Don't run", exact: true }).click();
        await card.waitFor({ state: 'detached' });
        await writeFile(file, `${DEMO_TOOL.source}// from a colleague, later\n`);
        await card.getByText('// from a colleague, later').waitFor();
        await card.getByRole('button', { name: 'Not now', exact: true }).click();
        await card.waitFor({ state: 'detached' });
      } finally {
        await forget(product);
      }
    },
  );
}

/** Plays a turn in which the person is asked once. */
export async function turn(
  { panel }: Product,
  prompt: string,
  answer: () => Promise<void>,
): Promise<void> {
  const number = await panel.articles('Claude').count();
  await panel.send(prompt);
  await answer();
  const said = await panel.waitForAnswer(number);
  assert.equal(await toolCards(said).count(), 1);
}

export async function forget({ workspace }: Product): Promise<void> {
  await rm(path.join(workspace, '.patchbay'), { recursive: true, force: true });
}

import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '../../harness/boot/stage.mjs';
import { message, say, toolUse } from '../../harness/model/script';
import { eventually } from '../../harness/panelSandbox/eventually';
import { inRoot } from '../../harness/paths';
import { commandOf, untilNone } from '../../harness/processes';
import { familyOf, theCli } from '../../harness/product/agentFamily';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';

const ID = 'patchbay.patchbay';
const NEWER = '0.99.0';
const SAID = 'The ledger is followed.';

/** An extension that goes while its agent works takes all of it along, and loses nothing that was said. */
export function removal(scene: Scene): void {
  scene('a newer version takes over from one whose agent works', async (product) => {
    const agent = await working(product, 'follow the ledger again');
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-newer-'));
    try {
      await product.server.install(await newer(product, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await reload(product, agent);
    await product.open();
    await product.panel.articles('Claude').last().getByText(SAID).waitFor();
    const style = product.frame.locator('link[rel="stylesheet"]').first();
    assert.match((await style.getAttribute('href')) ?? '', new RegExp(`patchbay-${NEWER}`));
  });

  scene(
    'uninstalled, it leaves no process; installed again, the conversation is back',
    async (product) => {
      const agent = await working(product, 'follow the ledger to the end');
      await product.server.uninstall(ID);
      await reload(product, agent);
      await isOffered(product, false);
      await product.server.install(product.vsix);
      await isOffered(product, true);
      await product.open();
      await product.panel.articles('Claude').last().getByText(SAID).waitFor();
    },
  );
}

/** Lets the agent start what runs on beside the conversation; gives all that belongs to the agent. */
async function working({ dialogue, panel }: Product, prompt: string): Promise<() => number[]> {
  // Reads only, so nobody is asked.
  const command = 'tail -f src/cart.ts';
  const input = { command, description: 'Follow', run_in_background: true };
  dialogue.on(prompt, message([toolUse('Bash', input)]), say(SAID));
  const number = await panel.articles('Claude').count();
  await panel.send(prompt);
  await (await panel.waitForAnswer(number)).getByText(SAID).waitFor();
  const agent = familyOf(await theCli());
  await eventually(() => agent().some((pid) => commandOf(pid).includes(command)));
  return agent;
}

/** As VS Code asks for it wherever an extension was changed. */
async function reload(product: Product, agent: () => number[]): Promise<void> {
  await product.loadAnew();
  await untilNone(agent);
}

async function isOffered({ page }: Product, wanted: boolean): Promise<void> {
  const item = page.locator('.activitybar').getByRole('tab', { name: /^Patchbay/ });
  // Of a window that is being loaded no item says anything.
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Explorer/ })
    .waitFor();
  await item.waitFor({ state: wanted ? 'visible' : 'detached' });
}

/** Packs what is installed as a later version. */
async function newer({ server }: Product, folder: string): Promise<string> {
  const extensions = path.join(server.dataFolder, 'extensions');
  const [installed] = (await readdir(extensions)).filter((name) => name.startsWith(`${ID}-`));
  assert.ok(installed !== undefined);
  const stage = path.join(folder, 'stage');
  await cp(path.join(extensions, installed), stage, { recursive: true });
  const file = path.join(stage, 'package.json');
  // Written by the packer, in the shape of a manifest.
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...manifest, version: NEWER }));
  return (await packExtension(inRoot('.'), stage, path.join(folder, 'newer.vsix'))).file;
}

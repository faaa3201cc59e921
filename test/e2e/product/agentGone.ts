import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, say, text, toolUse } from '../../harness/model/script';
import { untilNone } from '../../harness/processes';
import { gate } from '../../harness/product/dialogue';
import { familyOf, parentOf, theCli } from '../../harness/product/agentFamily';
import type { Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';

const FIRST = 'count the coupons';
const LATER = 'how many were there?';
const ASKED = 'stamp the coupons';
const MARK = 'stamped.txt';

/** An agent that went while nobody worked with it is missed by nobody, and a question of it neither. */
export function agentGone(scene: Scene): void {
  scene('an idle agent is ended unnoticed, and the next message goes on', async (product) => {
    const { dialogue, panel, frame } = product;
    // It may be gone as soon as it has answered, so it is looked up before.
    const held = gate();
    dialogue.on(FIRST, message([text('I count.'), held.step, text('There are seven.')]));
    dialogue.on(LATER, say('Seven, as I said.'));
    await parkAfter(product, 0.02);
    await frame.getByRole('button', { name: 'New conversation', exact: true }).click();
    await panel.articles('You').first().waitFor({ state: 'detached' });
    await panel.send(FIRST);
    await held.reached;
    const agent = familyOf(await theCli());
    held.open();
    await (await panel.waitForAnswer(0)).getByText('There are seven.').waitFor();
    // The focus in the message box would start the next one at once.
    await panel.message.blur();
    await untilNone(agent);
    assert.equal(await panel.status.innerText(), 'Idle');
    await panel.articles('Claude').first().getByText('There are seven.').waitFor();
    await panel.send(LATER);
    await (await panel.waitForAnswer(1)).getByText('Seven, as I said.').waitFor();
    const [request] = product.requestsFor(LATER);
    assert.ok(JSON.stringify(request?.body.messages).includes('There are seven.'));
    await parkAfter(product, undefined);
  });

  scene(
    'a question that was open at a kill stands as interrupted, and Continue goes on',
    async (product) => {
      const { dialogue, panel, workspace } = product;
      const command = `touch ${MARK}`;
      const call = toolUse('Bash', { command, description: 'Leave a mark' });
      dialogue.on(ASKED, message([text('I stamp them.'), call]), say('Stamped.'));
      dialogue.on(/interrupted/, say('I ask again another time.'));
      const number = await panel.articles('Claude').count();
      await panel.send(ASKED);
      await panel.permission().waitFor();
      const cli = await theCli();
      const agent = familyOf(cli);
      process.kill(await parentOf(cli), 'SIGKILL');
      await untilNone(agent);
      await product.reload();
      const card = panel.permission();
      await card.getByRole('button', { name: 'Continue', exact: true }).click();
      await card.waitFor({ state: 'detached' });
      await (await panel.waitForAnswer(number + 1)).getByText('I ask again').waitFor();
      assert.equal(existsSync(path.join(workspace, MARK)), false);
    },
  );
}

/** Sets the minutes in the workspace's settings, undefined for the default. */
async function parkAfter(product: Product, minutes: number | undefined): Promise<void> {
  const file = path.join(product.workspace, '.vscode', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  const before = await readFile(file, 'utf8').catch(() => '{}');
  // The sample's own file, or what was written here.
  const settings = JSON.parse(before) as Record<string, unknown>;
  const next = { ...settings, 'patchbay.cli.parkAfterMinutes': minutes };
  await writeFile(file, JSON.stringify(next, undefined, 2));
  // A change behind the editor's back can go unseen; a window that is loaded anew reads all.
  await product.reload();
}

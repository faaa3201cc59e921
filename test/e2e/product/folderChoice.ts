import assert from 'node:assert/strict';
import path from 'node:path';
import { say } from '../../harness/model/script';
import type { Scene } from '../../harness/product/scene';
import { begin } from './begin';

const ASK = 'where do you work?';

/** @param second the name of the window's other folder */
export function folderChoice(scene: Scene, second: string): void {
  scene(
    'with several folders the one in which the agent works is chosen, and stays seen',
    async (product) => {
      const { dialogue, frame, page, panel, workspace } = product;
      dialogue.on(ASK, say('In the garden.'));
      await begin(product);
      const picker = frame.getByRole('button', { name: /^Folder: / });
      await frame.getByRole('button', { name: 'Folder: my shop', exact: true }).click();
      const list = frame.getByRole('listbox', { name: 'Folder', exact: true });
      await list.getByRole('option').filter({ hasText: second }).click();
      await frame.getByRole('button', { name: `Folder: ${second}`, exact: true }).waitFor();
      await panel.send(ASK);
      await (await panel.waitForAnswer(0)).getByText('In the garden.').waitFor();
      const [request] = product.requestsFor(ASK);
      const folder = path.join(path.dirname(workspace), second);
      assert.ok(request?.turn.context.includes(`Primary working directory: ${folder}`));
      await picker.waitFor({ state: 'detached' });
      await frame.locator('.status-line').getByText(second, { exact: true }).waitFor();
      // The next one begins there as well, until another is chosen.
      await begin(product);
      await frame.getByRole('button', { name: `Folder: ${second}`, exact: true }).click();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Folder: my shop', exact: true }).waitFor();
    },
  );
}

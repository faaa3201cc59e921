import { artifact, EDITOR_TAB, type Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';

/** The tree of the tools, below the chat. */
function toolsTree({ page }: Product) {
  return page.getByRole('tree', { name: /^Tools/ });
}

/** The inside of the form of *Run Tool…*. */
function formOf({ page }: Product) {
  const tab = page.frameLocator(`${EDITOR_TAB}:visible`);
  return tab.frameLocator('iframe#active-frame');
}

export function toolsView(scene: Scene): void {
  scene('the tools stand in a tree below the chat, and one is run with a form', async (product) => {
    const { page } = product;
    await runCommand(page, 'Patchbay: Show Tools');
    const tree = toolsTree(product);
    for (const name of ['code', 'run', 'debug', 'notebook', 'editor']) {
      await tree.getByRole('treeitem', { name: new RegExp(`^${name}, `) }).waitFor();
    }
    await tree.getByRole('treeitem', { name: /^editor, / }).click();
    const read = tree.getByRole('treeitem', { name: /^Read buffer, ready, ≈\d+ tok/ });
    await read.waitFor();
    await read.hover();
    await page.screenshot({ path: artifact('tools-view.png') });
    await read.getByRole('button', { name: 'Run Tool…' }).click();
    const form = formOf(product);
    await form.getByLabel('Path').fill('src/format.ts');
    await page.screenshot({ path: artifact('tools-form.png') });
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await form
      .getByRole('status')
      .getByText(/^Done after/)
      .waitFor();
    const result = page.locator('.monaco-editor .view-line', {
      hasText: 'What the model would get',
    });
    await result.waitFor();
    await tree.getByRole('treeitem', { name: /^Read buffer, ready, .*last call/ }).waitFor();
    await page.screenshot({ path: artifact('tools-result.png') });
    await runCommand(page, 'View: Close All Editors');
  });

  scene('a tool that is switched off says so, and comes back', async (product) => {
    const { page } = product;
    await runCommand(page, 'Patchbay: Show Tools');
    const tree = toolsTree(product);
    const code = tree.getByRole('treeitem', { name: /^code, / });
    await code.waitFor();
    if ((await code.getAttribute('aria-expanded')) !== 'true') await code.click();
    const symbols = (state: string) =>
      tree.getByRole('treeitem', { name: new RegExp(`^Symbols, ${state}, `) });
    await symbols('ready').hover();
    await symbols('ready').getByRole('button', { name: 'Switch off' }).click();
    await symbols('off').waitFor();
    await symbols('off').hover();
    await symbols('off').getByRole('button', { name: 'Switch on' }).click();
    await symbols('ready').waitFor();
    // Folded again, the chat has its room back.
    await page.locator('.pane-header').getByText('Tools', { exact: true }).click();
    await tree.waitFor({ state: 'hidden' });
  });
}

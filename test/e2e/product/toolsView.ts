import assert from 'node:assert/strict';
import { artifact, type Product } from '../../harness/product/product';
import type { Scene } from '../../harness/product/scene';
import { runCommand } from '../../harness/workbench';

/** The tree of the tools, below the chat. */
function toolsTree({ page }: Product) {
  return page.getByRole('tree', { name: /^Tools/ });
}

/** The inside of the form of *Run Tool…*. */
function formOf({ page }: Product) {
  const tab = page.frameLocator('iframe.webview:not([src*="purpose=webviewView"]):visible');
  return tab.frameLocator('iframe#active-frame');
}

export function toolsView(scene: Scene): void {
  scene('the tools stand in a tree, and one is run with a form', async (product) => {
    const { page } = product;
    await runCommand(page, 'Patchbay: Show Tools');
    const tree = toolsTree(product);
    await tree.getByRole('treeitem', { name: /^code, / }).waitFor();
    for (const name of ['editor', 'run', 'debug', 'notebook']) {
      await tree.getByRole('treeitem', { name: new RegExp(`^${name}, `) }).waitFor();
    }
    await tree.getByRole('treeitem', { name: /^code, / }).click();
    const symbols = tree.getByRole('treeitem', { name: /^Symbols, ready, ≈\d+ tok/ });
    await symbols.waitFor();
    await symbols.hover();
    await page.screenshot({ path: artifact('tools-view.png') });
    await symbols.getByRole('button', { name: 'Run Tool…' }).click();
    const form = formOf(product);
    await form.getByRole('heading', { level: 1 }).waitFor();
    await page.screenshot({ path: artifact('tools-form.png') });
    await page.screenshot({ path: artifact('tools-form.png') });
  });
}

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { inRoot } from '../paths';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds on the page, one line each; the minor ones are left out. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(inRoot('node_modules/axe-core/axe.min.js'), 'utf8'));
  const expression = "axe.run(document, { resultTypes: ['violations'] })";
  const { violations } = await page.evaluate<AxeResults>(expression);
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { inRoot } from '../paths';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
  readonly passes: readonly { readonly id: string }[];
}

export interface AxeReport {
  /** One line each; the minor ones are left out. */
  readonly findings: readonly string[];
  /** How many rules had something to look at. */
  readonly rules: number;
}

/** What axe finds on the page, one line each; the minor ones are left out. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  return (await axeReport(page)).findings;
}

/** @param part `colour`: only the rules that look at colours, all that a theme changes */
export async function axeReport(page: Page, part: 'all' | 'colour' = 'all'): Promise<AxeReport> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(await readFile(inRoot('node_modules/axe-core/axe.min.js'), 'utf8'));
  const only = part === 'all' ? '' : ", runOnly: ['color-contrast', 'link-in-text-block']";
  const expression = `axe.run(document, { resultTypes: ['violations']${only} })`;
  const { violations, passes } = await page.evaluate<AxeResults>(expression);
  const findings = violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  return { findings, rules: new Set([...passes, ...violations].map(({ id }) => id)).size };
}

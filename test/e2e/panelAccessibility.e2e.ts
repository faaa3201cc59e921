import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessSections, type AxeFigures, axeTable } from '../harness/panelSandbox/accessDocs';
import {
  ACCESS_STATES,
  type AccessState,
  statesOfToday,
  unfoldAll,
} from '../harness/panelSandbox/accessStates';
import { axeReport } from '../harness/panelSandbox/axe';
import { checkSection } from '../harness/panelSandbox/docSection';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { wearTheme } from '../harness/panelSandbox/wearTheme';

const { withPanel } = panelFixture();

const DOC = 'docs/accessibility.md';
// Tall enough for all of it: axe does not look at what is scrolled away.
const HEIGHT = 2600;
const THEMES = ['dark', 'light', 'hc', 'hcLight'] as const;
const WIDTHS = [300, 1400] as const;
const figures: AxeFigures[] = [];

for (const [at, one] of ACCESS_STATES.entries()) {
  test(`${one.name}: axe finds nothing serious or moderate, as it is and unfolded, narrow and wide`, async () => {
    const height = one.most ?? HEIGHT;
    await withPanel(one.state(), { width: WIDTHS[0], height }, async (panel) => {
      await panel.page.getByRole('main').waitFor();
      await one.prepare?.(panel);
      await look(panel, one, looksOf(one, at));
    });
  });
}

for (const [name, words] of accessSections()) {
  test(`${DOC} has its part "${name}" as the tables of the tests have it (PATCHBAY_WRITE_DOCS=1 writes it)`, () => {
    checkSection(DOC, name, words);
  });
}

test(`${DOC} has what axe has looked at, by state (PATCHBAY_WRITE_DOCS=1 writes it)`, () => {
  assert.equal(figures.length, ACCESS_STATES.length);
  checkSection(DOC, 'axe', axeTable(figures));
});

interface Look {
  readonly width: (typeof WIDTHS)[number];
  readonly theme: (typeof THEMES)[number];
}

/** All for the states of today and in the soak; of the others one, another one for each. */
function looksOf(state: AccessState, at: number): readonly Look[] {
  const all = WIDTHS.flatMap((width) => THEMES.map((theme): Look => ({ width, theme })));
  if (statesOfToday().includes(state)) return all;
  return all.filter((_, which) => which === at % all.length);
}

/** In dark by all rules, in the other themes by those of colours: nothing else is the theme's. */
async function look(
  panel: SandboxPanel,
  { name, about, most }: AccessState,
  looks: readonly Look[],
): Promise<void> {
  const { page } = panel;
  const asItIs = await axeReport(page);
  assert.deepEqual(asItIs.findings, [], name);
  // A press elsewhere would close what is open over the panel.
  if ((await page.locator('.popup').count()) === 0) await unfoldAll(panel);
  for (const { width, theme } of looks) {
    await page.setViewportSize({ width, height: most ?? HEIGHT });
    await wearTheme(page, theme);
    const report = await axeReport(page, theme === 'dark' ? 'all' : 'colour');
    assert.deepEqual(report.findings, [], `${name} in ${theme} at ${width} px`);
  }
  figures.push({ name, about, rules: asItIs.rules });
}

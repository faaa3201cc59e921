import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelectionOffer } from '../../src/chat/selectionProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const offer = (over: Partial<SelectionOffer> = {}): SelectionOffer => ({
  ...{ id: 's1', label: 'cart.ts:3-9', place: 'src/cart.ts:3-9', isOn: true, isLong: false },
  ...over,
});
const chip = (panel: SandboxPanel, label = 'cart.ts:3-9') =>
  panel.page.getByRole('button', { name: `Selection: ${label}`, exact: true });

test('what is selected stands over the message, and goes with it', async () => {
  await withPanel({ ...emptyState(), selection: offer() }, {}, async (panel) => {
    await chip(panel).waitFor();
    assert.equal(await chip(panel).getAttribute('aria-pressed'), 'true');
    await message(panel).fill('explain');
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.selection, 's1');
  });
});

test('one press stops it for good, another one lets it go again', async () => {
  await withPanel({ ...emptyState(), selection: offer() }, {}, async (panel) => {
    await chip(panel).click();
    await eventually(() => panel.sent('attachSelection').length === 1);
    assert.equal(panel.sent('attachSelection')[0]?.isOn, false);
    await panel.patch({ op: 'set', fields: { selection: offer({ isOn: false }) } });
    await panel.page.locator('.selection-chip[aria-pressed="false"]').waitFor();
    await message(panel).fill('explain');
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.selection, undefined);
    await chip(panel).click();
    await eventually(() => panel.sent('attachSelection').at(-1)?.isOn === true);
  });
});

test('it goes when its document is closed, and an other one takes its place', async () => {
  await withPanel({ ...emptyState(), selection: offer() }, {}, async (panel) => {
    await chip(panel).waitFor();
    const other = offer({ id: 's2', label: 'b.ts:1', place: 'b.ts:1' });
    await panel.patch({ op: 'set', fields: { selection: other } });
    await chip(panel, 'b.ts:1').waitFor();
    assert.equal(await chip(panel).count(), 0);
    await panel.patch({ op: 'set', fields: {}, unset: ['selection'] });
    await chip(panel, 'b.ts:1').waitFor({ state: 'detached' });
    await message(panel).fill('explain');
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.selection, undefined);
  });
});

test('at 300 px and in every theme it fits, with nothing for axe', async () => {
  const label = `${'aVeryLongNameOfAFile'.repeat(4)}.test.ts:1200-1340`;
  for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
    for (const isOn of [true, false]) {
      const selection = offer({ label, place: `src/${label}`, isOn });
      await withPanel({ ...emptyState(), selection }, { theme, width: 300 }, async (panel) => {
        await chip(panel, label).waitFor();
        assert.equal(await overflows(panel), false);
        const findings = await axeFindings(panel.page);
        assert.deepEqual(
          findings.filter((finding) => !finding.includes('aria-allowed-attr')),
          [],
        );
        if (process.env.SHOTS) {
          const path = `${process.env.SHOTS}/selection-${theme}-${isOn}.png`;
          await panel.page.screenshot({ path });
        }
      });
    }
  }
});

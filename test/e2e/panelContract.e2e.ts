import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessState, statesOfToday, unfoldAll } from '../harness/panelSandbox/accessStates';
import { CONTRACT, type ContractRow, STATUS_WORDS } from '../harness/panelSandbox/contract';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  expectedStops,
  faultyStops,
  readStop,
  smallTargets,
  toStart,
} from '../harness/panelSandbox/focusWalk';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();
const THEMES = ['dark', 'light', 'hc', 'hcLight'] as const;
/** Kinds of controls whose ring was looked at, in any state. */
const rings = new Set<string>();

test('each row of the contract names a state that there is', () => {
  for (const { state } of CONTRACT) assert.equal(accessState(state).name, state);
});

for (const name of new Set(CONTRACT.map(({ state }) => state))) {
  test(`${name}: roles and names are those of the contract`, async () => {
    await inState(name, async (panel) => {
      for (const row of CONTRACT.filter((one) => one.state === name)) await holds(panel, row);
      assert.deepEqual(await faultyStops(panel.page), []);
      assert.deepEqual(await smallTargets(panel.page), []);
    });
  });
}

for (const { name, about } of statesOfToday()) {
  test(`${name}: Tab reaches all in the order of reading, with a ring in each theme`, async () => {
    await inState(name, async (panel) => {
      if (await isInPopup(panel)) return;
      await unfoldAll(panel);
      assert.deepEqual(await faultyStops(panel.page), [], about);
      assert.deepEqual(await smallTargets(panel.page), [], about);
      await walk(panel);
    });
  });
}

test('the state of the turn is told in these words', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const status = panel.page.getByRole('status');
    for (const [kind, words] of STATUS_WORDS) {
      const retry = { at: Date.now() + 3_600_000, reason: 'overloaded' };
      const wanted = new RegExp(`^${words.replace('…', '\\d+')}$`);
      const fields = { status: kind === 'retrying' ? { kind, retry } : { kind } };
      await panel.patch({ op: 'set', fields });
      await eventually(async () => wanted.test(await status.innerText()));
    }
    assert.equal(await status.innerText(), 'Not connected');
  });
});

async function inState(name: string, use: (panel: SandboxPanel) => Promise<void>): Promise<void> {
  const { state, prepare } = accessState(name);
  await withPanel(state(), { height: 1100 }, async (panel) => {
    await panel.page.getByRole('main').waitFor();
    await prepare?.(panel);
    await use(panel);
  });
}

async function holds({ page }: SandboxPanel, row: ContractRow): Promise<void> {
  const { role, name, count = 1 } = row;
  const words = `${row.what}: ${role} "${name}"`;
  // Alerts have no name: what they say is their content.
  const found = name === '' ? page.getByRole(role) : page.getByRole(role, { name, exact: true });
  await found.first().waitFor();
  assert.equal(await found.count(), count, words);
  const last = found.last();
  if (row.buttons) assert.deepEqual(await buttonNames(last), row.buttons, words);
  for (const [inner, its] of row.holds ?? [])
    assert.ok(
      (await last.getByRole(inner, { name: its, exact: true }).count()) > 0,
      `${words} holds ${inner} "${its}"`,
    );
  for (const [attribute, value] of Object.entries(row.told ?? {}))
    assert.equal(await last.getAttribute(attribute), value, `${words}, ${attribute}`);
}

/** As the browser tells them to a screen reader, in reading order. */
async function buttonNames(locator: Locator): Promise<readonly string[]> {
  const lines = (await locator.ariaSnapshot()).split('\n');
  return lines.flatMap((line) => {
    const name = /^\s*- '?button "((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (name === undefined) return [];
    const plain = name.replace(/\\(.)/g, '$1');
    return [line.includes("- '") ? plain.replaceAll("''", "'") : plain];
  });
}

/** Whether the focus is in a list or menu that is open, or tells one what its keys mean. */
async function isInPopup({ page }: SandboxPanel): Promise<boolean> {
  const open = page.locator('.popup:is([role="listbox"], [role="menu"]), .suggest, .always-list');
  if ((await open.count()) === 0) return false;
  const isLed = await page.evaluate(() => {
    const at = document.activeElement;
    const row = document.getElementById(at?.getAttribute('aria-activedescendant') ?? '') ?? at;
    return row?.matches('[role="option"], [role="menuitem"]') === true;
  });
  assert.ok(isLed, 'the keys lead an open list');
  return true;
}

async function walk({ page }: SandboxPanel): Promise<void> {
  // A dialog that is left closes: there the walk begins where the focus is.
  const dialog = page.getByRole('dialog');
  const isDialog = (await dialog.count()) > 0;
  if (isDialog) await dialog.getByRole('searchbox').focus();
  else await toStart(page);
  const all = await expectedStops(page);
  const first = isDialog ? (await readStop(page, [])).at : -1;
  const within = isDialog ? await dialog.locator('[data-stop]').count() : all.length;
  const faults: string[] = [];
  for (let at = first + 1; at < Math.max(first, 0) + within; at += 1) {
    await page.keyboard.press('Tab');
    let stop = await readStop(page, THEMES, rings);
    if (stop.words.startsWith('button.jump')) {
      await page.keyboard.press('Tab');
      stop = await readStop(page, THEMES, rings);
    }
    if (stop.at !== at) faults.push(`Tab comes to ${stop.words} rather than to ${all[at]}`);
    faults.push(...stop.faults.map((fault) => `${stop.words}: ${fault}`));
    if (stop.at === -1) break;
  }
  assert.deepEqual(faults, []);
  assert.ok(all.length > 5);
}

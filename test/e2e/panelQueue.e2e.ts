import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { emptyState, workState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const queue = ['one', 'two', 'three'].map((text) => ({ id: text, text }));
const working = () => ({ ...workState(), permissions: [], status: { kind: 'working' as const } });

const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

test('while a turn runs Enter queues and Ctrl+Enter steers, and the box says so', async () => {
  await withPanel(working(), {}, async (panel) => {
    const box = message(panel);
    const words = 'Enter adds to the queue, Ctrl+Enter sends into the running turn';
    const described = async (): Promise<string> => {
      const ids = ((await box.getAttribute('aria-describedby')) ?? '').split(' ');
      const texts = ids.map((id) => panel.page.locator(`#${id}`).textContent());
      return (await Promise.all(texts)).join('');
    };
    assert.equal(await described(), words);
    await box.fill('not the tests');
    await panel.page.locator('.send-keys').getByText(words).waitFor();
    await box.press('Control+Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const [steered] = panel.sent('submit');
    assert.ok(steered);
    assert.deepEqual([steered.text, steered.steers], ['not the tests', true]);
    await panel.send({ type: 'submitted', promptId: steered.promptId });
    await box.fill('then commit');
    await box.press('Enter');
    await eventually(() => panel.sent('submit').length === 2);
    assert.equal(panel.sent('submit')[1]?.steers, undefined);
  });
});

test('the button beside Send sends into the running turn; with none running there is neither', async () => {
  await withPanel(working(), { width: 300 }, async (panel) => {
    const steer = panel.page.getByRole('button', {
      name: 'Send into the running turn',
      exact: true,
    });
    assert.equal(await steer.count(), 0);
    await message(panel).fill('now');
    await steer.click();
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.steers, true);
    assert.equal(await overflows(panel), false);
  });
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('now');
    await panel.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    assert.equal(await panel.page.getByText('sends into the running turn').count(), 0);
    assert.equal(await panel.page.locator('.steer').count(), 0);
  });
});

test('with the keys swapped Ctrl+Enter queues and Ctrl+Shift+Enter steers', async () => {
  await withPanel({ ...working(), sendKey: 'modEnter' }, {}, async (panel) => {
    await message(panel).fill('now');
    await panel.page
      .getByText('Ctrl+Enter adds to the queue, Ctrl+Shift+Enter sends into the running turn')
      .waitFor();
    await message(panel).press('Control+Shift+Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.steers, true);
  });
});

test('what the agent has not read yet says so, and looks like any other once it has', async () => {
  const waiting = { kind: 'user', id: 'w', text: 'not the tests', wireId: 'x' } as const;
  const state = { ...working(), items: [...working().items, { ...waiting, waits: true } as const] };
  await withPanel(state, {}, async (panel) => {
    const own = panel.page.getByRole('article', { name: 'You' }).last();
    await own.getByText('Waits for the next step of the agent').waitFor();
    assert.equal(await own.getByRole('button', { name: 'Fork from here' }).count(), 0);
    await panel.patch({ op: 'item', item: waiting });
    await own.getByRole('button', { name: 'Fork from here' }).waitFor({ state: 'attached' });
    assert.equal(await own.getByText('Waits for the next step').count(), 0);
  });
});

test('what waits is put in another order by buttons and by keys, and the focus goes with it', async () => {
  await withPanel({ ...working(), queue }, { width: 300 }, async (panel) => {
    const { page } = panel;
    const list = page.getByRole('list', { name: 'Queued messages' });
    const row = (text: string) => list.getByRole('listitem').filter({ hasText: text });
    const [one, two, three] = queue;
    assert.ok(one && two && three);
    await row('three').getByRole('button', { name: 'Move up', exact: true }).click();
    await eventually(() => panel.sent('queue').length === 1);
    assert.deepEqual(panel.sent('queue')[0], {
      ...{ type: 'queue', promptId: 'three', action: 'moveUp' },
    });
    await panel.patch({ op: 'set', fields: { queue: [one, three, two] } });
    const up = row('three').getByRole('button', { name: 'Move up', exact: true });
    await eventually(() => isFocused(up));
    await page.getByText('Moved to place 2 of 3').waitFor({ state: 'attached' });
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(() => panel.sent('queue').length === 2);
    await panel.patch({ op: 'set', fields: { queue: [three, one, two] } });
    await eventually(() => isFocused(up));
    assert.equal(await up.getAttribute('aria-disabled'), 'true');
    // At the end there is nothing to do, and the key is the row's all the same.
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(() => panel.sent('queue').length === 3);
    assert.equal(panel.sent('queue')[2]?.action, 'moveDown');
    assert.equal(await overflows(panel), false);
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`axe finds nothing in a queue and a message that waits, in the theme ${theme}`, async () => {
    const { items } = working();
    const waiting = { kind: 'user', id: 'w', text: 'not the tests', waits: true } as const;
    const state = { ...working(), queue, items: [...items, waiting] };
    await withPanel(state, { theme, width: 300 }, async (panel) => {
      await message(panel).fill('and this');
      await panel.page.locator('.send-keys').waitFor();
      assert.deepEqual(await axeFindings(panel.page), []);
      assert.equal(await overflows(panel), false);
    });
  });
}

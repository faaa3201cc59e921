import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  ASK,
  type RunToolOptions,
  RunToolSandbox,
  type SandboxRunTool,
} from '../harness/panelSandbox/runToolSandbox';
import { inRoot } from '../harness/paths';

let sandbox: RunToolSandbox | undefined;
before(async () => {
  sandbox = await RunToolSandbox.start();
});
after(() => sandbox?.close());

/** Opens the form, uses it, and checks that nothing in it was logged as an error. */
async function withForm(
  options: RunToolOptions,
  use: (opened: SandboxRunTool) => Promise<void>,
): Promise<void> {
  assert.ok(sandbox);
  const opened = await sandbox.open(options);
  try {
    await use(opened);
    assert.deepEqual(opened.errors, []);
    assert.deepEqual(opened.sent('viewError'), []);
  } finally {
    await opened.close();
  }
}

test('the keyboard fills the form in, and Run sends what stands in it once it fits', async () => {
  await withForm({}, async (form) => {
    const { page } = form;
    const { keyboard } = page;
    // The first field has the focus.
    await keyboard.type('ann');
    await keyboard.press('Control+Enter');
    await page.getByText('Choose at least one.').waitFor();
    assert.deepEqual(form.sent('submit'), []);
    await page.getByRole('radio', { name: 'by date' }).check();
    await page.getByRole('checkbox', { name: 'FIXME' }).check();
    await page.getByLabel('Limit').fill('7');
    await page.getByLabel('Paths').fill('["src"');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/Write JSON, such as/).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await page.getByLabel('Paths').fill('["src"]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => form.sent('submit').length === 1);
    assert.deepEqual(form.sent('submit')[0]?.draft, {
      ...{ '0': 'ann', '1': '7', '2': '1', '3': ['1'] },
      ...{ '4': false, '5': '["src"]' },
    });
  });
});

test('what is typed goes to the host as a draft, and comes again with it', async () => {
  await withForm({}, async (form) => {
    const { page } = form;
    await page.getByLabel('Owner').fill('bob');
    await eventually(() => form.sent('draft').some(({ draft }) => draft['0'] === 'bob'));
  });
});

test('while it runs Run waits, Stop stops, and what the tool asks stands there with the focus', async () => {
  await withForm({}, async (form) => {
    const { page } = form;
    await form.show({ running: '3 of 10' });
    const status = page.getByRole('status');
    await status.getByText('3 of 10').waitFor();
    const run = page.getByRole('button', { name: 'Run', exact: true });
    assert.equal(await run.getAttribute('aria-disabled'), 'true');
    // It is marked as off, which Playwright waits for to end.
    await run.click({ force: true });
    assert.deepEqual(form.sent('submit'), []);
    await form.show({ ask: ASK });
    const asked = page.getByRole('group', { name: 'Form: Count marks', exact: true });
    await asked.getByText('Which branch shall be compared?').waitFor();
    await page.keyboard.type('main');
    await page.keyboard.press('Enter');
    await eventually(() => form.sent('submit').length === 1);
    assert.deepEqual(form.sent('submit')[0], {
      type: 'submit',
      cardId: 'ask-1',
      draft: { '0': 'main' },
    });
    await asked.getByRole('button', { name: 'Decline' }).click();
    await eventually(() => form.sent('decline').length === 1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await eventually(() => form.sent('cancel').length === 1);
    await form.show({
      ask: undefined,
      running: undefined,
      end: { kind: 'done', text: 'Done after 1.2 s' },
    });
    await status.getByText('Done after 1.2 s').waitFor();
    await page.getByRole('button', { name: 'Show the result' }).click();
    await eventually(() => form.sent('showResult').length === 1);
    await page.getByRole('button', { name: 'Run again' }).waitFor();
  });
});

test('at 300 pixels nothing sticks out, and no theme has a finding of axe', async () => {
  const out = inRoot('test/.artifacts/panel');
  mkdirSync(out, { recursive: true });
  const long = { kind: 'badInput' as const, text: `paths[0]: ${'must be a text '.repeat(20)}` };
  for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
    for (const width of [300, 800]) {
      await withForm({ theme, width, view: { ask: ASK, end: long } }, async ({ page }) => {
        await page.getByRole('button', { name: 'Run again' }).click();
        const over = await page.evaluate(() => {
          const main = document.querySelector('main');
          return main === null ? -1 : main.scrollWidth - main.clientWidth;
        });
        assert.equal(over, 0, theme);
        assert.deepEqual(await axeFindings(page), [], theme);
        await page.screenshot({ path: `${out}/runTool-${theme}-${width}.png` });
      });
    }
  }
});

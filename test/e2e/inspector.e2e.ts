import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { frameDetailOf, manyFrames, turnFrames } from '../harness/panelSandbox/inspectorFrames';
import {
  InspectorSandbox,
  type InspectorOptions,
  type SandboxInspector,
} from '../harness/panelSandbox/inspectorSandbox';

let sandbox: InspectorSandbox | undefined;
before(async () => {
  sandbox = await InspectorSandbox.start();
});
after(() => sandbox?.close());

/** Opens an inspector, uses it, and checks that nothing in it was logged as an error. */
async function withInspector(
  options: InspectorOptions,
  use: (inspector: SandboxInspector) => Promise<void>,
): Promise<void> {
  assert.ok(sandbox);
  const inspector = await sandbox.open({ detail: frameDetailOf, ...options });
  try {
    await use(inspector);
    assert.deepEqual(inspector.errors, []);
    assert.deepEqual(
      inspector.posted.filter(({ type }) => type === 'viewError'),
      [],
    );
  } finally {
    await inspector.close();
  }
}

const option = ({ page }: SandboxInspector, name: RegExp) => page.getByRole('option', { name });
const chosen = ({ page }: SandboxInspector, name: RegExp) =>
  page.getByRole('option', { name, selected: true });
const list = ({ page }: SandboxInspector) => page.getByRole('listbox', { name: 'Frames' });

test('the keyboard leads through the frames, to the other one of a pair, into the detail and out', async () => {
  await withInspector({ rows: turnFrames() }, async (inspector) => {
    const { page } = inspector;
    const { keyboard } = page;
    await list(inspector).focus();
    await keyboard.press('End');
    await chosen(inspector, /^13, received, request .* can_use_tool Write .* waiting$/).waitFor();
    await keyboard.press('Home');
    for (let step = 0; step < 7; step += 1) await keyboard.press('ArrowDown');
    await chosen(
      inspector,
      /^8, received, request .* tools\/call code · diagnostics .* 38 ms$/,
    ).waitFor();
    await page.getByRole('heading', { name: 'tools/call · code · diagnostics' }).waitFor();
    await keyboard.press('ArrowRight');
    await chosen(
      inspector,
      /^9, sent .* tools\/call answer code · diagnostics .* 38 ms$/,
    ).waitFor();
    const json = page.getByRole('group', { name: 'Frame 9 as JSON' });
    await json.waitFor();
    await keyboard.press('Enter');
    await eventually(() => json.evaluate((element) => element === document.activeElement));
    await keyboard.press('Escape');
    await json.waitFor({ state: 'detached' });
    const frames = list(inspector);
    await eventually(() => frames.evaluate((element) => element === document.activeElement));
    assert.deepEqual(
      inspector.posted.filter(({ type }) => type === 'detail').length,
      // End, Home, seven down, one to the answer.
      10,
    );
  });
});

test('the filter narrows what is shown, the list keeps to what can be seen', async () => {
  await withInspector({ rows: manyFrames(10_000), dropped: 7 }, async (inspector) => {
    const { page } = inspector;
    // At its end, as a log is.
    await option(inspector, /^10000, /).waitFor();
    const drawn = await page.getByRole('option').count();
    assert.ok(drawn < 80, `${drawn} rows are drawn`);
    await page.getByText('10,000 frames', { exact: true }).waitFor();
    await page.getByText('7 older dropped').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('number 9991 TOOLS');
    await page.getByText('1 of 10,000 frames').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await chosen(inspector, /^9991, .* tools\/call/).waitFor();
    await page.getByRole('button', { name: 'MCP' }).click();
    await page.getByText('No frame matches the filter').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('10,000 frames', { exact: true }).waitFor();
  });
});

test('a reader who went up stays where they are while frames come; at the end the list follows', async () => {
  await withInspector({ rows: manyFrames(500) }, async (inspector) => {
    const { page } = inspector;
    const [, ...rest] = manyFrames(501);
    const newest = rest.at(-1)!;
    const counts = { first: 1, dropped: 0, missed: 0 };
    await option(inspector, /^500, /).waitFor();
    await inspector.send({ type: 'frames', rows: [newest], updates: [], counts });
    await option(inspector, /^501, /).waitFor();
    await list(inspector).focus();
    await page.keyboard.press('Home');
    await chosen(inspector, /^1, /).waitFor();
    await inspector.send({
      type: 'frames',
      rows: [{ ...newest, n: 502 }],
      updates: [],
      counts,
    });
    await page.getByText('502 frames').waitFor();
    assert.equal(await list(inspector).evaluate((element) => element.scrollTop), 0);
  });
});

test('what the person presses reaches the host, and what the host says is shown', async () => {
  await withInspector({ rows: turnFrames() }, async (inspector) => {
    const { page, posted } = inspector;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Pause');
    await eventually(() => posted.some((message) => message.type === 'pause' && message.on));
    const counts = { first: 1, dropped: 0, missed: 12 };
    await inspector.send({ type: 'counts', counts, isPaused: true });
    await page.getByText('Paused, 12 new').waitFor();
    await press('Resume');
    await press('Clear');
    await press('Open in editor');
    await press('Save');
    await press('Rename calcTotal · shop');
    await page.getByRole('checkbox', { name: 'Save without contents' }).uncheck();
    await eventually(() => posted.some(({ type }) => type === 'redact'));
    assert.deepEqual(
      posted.filter(({ type }) => type !== 'ready'),
      [
        { type: 'pause', on: true },
        { type: 'pause', on: false },
        { type: 'clear' },
        { type: 'openAll' },
        { type: 'save' },
        { type: 'choose' },
        { type: 'redact', secrets: true, contents: false },
      ],
    );
    await inspector.start([]);
    await page.getByText('No frames yet').waitFor();
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`axe finds nothing serious or moderate in the inspector, theme ${theme}`, async () => {
    await withInspector({ rows: turnFrames(), theme }, async (inspector) => {
      await option(inspector, /^8, /).click();
      await inspector.page.getByRole('group', { name: 'Frame 8 as JSON' }).waitFor();
      assert.deepEqual(await axeFindings(inspector.page), []);
    });
  });
}

test('in a narrow tab nothing scrolls sideways, and every target has 24 px', async () => {
  await withInspector({ rows: turnFrames(), width: 420 }, async (inspector) => {
    const { page } = inspector;
    await option(inspector, /^8, /).click();
    await page.getByRole('group', { name: 'Frame 8 as JSON' }).waitFor();
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main, .toolbar, .rows, .detail')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.className),
    );
    assert.deepEqual(wide, []);
    const small = await page
      .locator('button, input[type="text"], label, [role="option"]')
      .evaluateAll((all) =>
        all
          .map((e) => ({ name: e.ariaLabel ?? e.textContent, box: e.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ name }) => name),
      );
    assert.deepEqual(small, []);
  });
});

test('an input method that composes in the filter has its Escape and its arrows for itself', async () => {
  await withInspector({ rows: turnFrames() }, async ({ page }) => {
    const filter = page.getByRole('textbox', { name: 'Filter', exact: true });
    await filter.focus();
    const keys = await page.context().newCDPSession(page);
    const text = 'にほ';
    await keys.send('Input.imeSetComposition', { text, selectionStart: 2, selectionEnd: 2 });
    for (const key of ['ArrowDown', 'Escape']) {
      const code = { key, code: key, windowsVirtualKeyCode: 229 };
      await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code });
      await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code });
    }
    assert.equal(await filter.inputValue(), text);
    assert.ok(await filter.evaluate((one) => one === document.activeElement));
  });
});

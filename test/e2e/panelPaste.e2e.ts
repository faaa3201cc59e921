import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();

const CODE = 'export function total() {\n  return 0;\n}\n';
const MENTION = '@src/cart.ts:3-5';

/** By the browser's own clipboard and key, so that Undo is its own too. */
async function pasteText(panel: SandboxPanel, text: string): Promise<void> {
  const { page } = panel;
  const before = await message(panel).inputValue();
  // From a box of its own: the clipboard may not be written to without a press of keys here.
  await page.evaluate((words) => {
    const box = document.createElement('textarea');
    box.id = 'copy-from';
    box.value = words;
    document.body.append(box);
    box.select();
  }, text);
  await page.keyboard.press('Control+c');
  await page.evaluate(() => document.querySelector('#copy-from')?.remove());
  await message(panel).focus();
  await page.keyboard.press('Control+v');
  await eventually(async () => (await message(panel).inputValue()) !== before);
}

async function answered(panel: SandboxPanel, count: number, mention = MENTION): Promise<void> {
  await eventually(() => panel.sent('pastedText').length === count);
  const asked = panel.sent('pastedText').at(-1);
  assert.ok(asked);
  await panel.send({ type: 'pastedCode', pasteId: asked.pasteId, mention });
}

test('code of an editor becomes a mention of its lines, and Undo brings the text back', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const box = message(panel);
    await box.focus();
    await panel.page.keyboard.type('why is this wrong:');
    await pasteText(panel, CODE);
    assert.equal(await box.inputValue(), `why is this wrong:${CODE}`);
    await answered(panel, 1);
    await eventually(async () => (await box.inputValue()) === `why is this wrong: ${MENTION} `);
    await panel.page.getByText(`Pasted as ${MENTION}`).waitFor({ state: 'attached' });
    await panel.page.keyboard.type('and now?');
    assert.equal(await box.inputValue(), `why is this wrong: ${MENTION} and now?`);
    await eventually(() => panel.sent('draft').at(-1)?.text.endsWith('and now?') === true);
    for (let i = 0; i < 30 && !(await box.inputValue()).includes(CODE); i += 1) {
      await panel.page.keyboard.press('Control+z');
    }
    assert.equal(await box.inputValue(), `why is this wrong:${CODE}`);
    assert.deepEqual(panel.sent('suggest'), []);
  });
});

test('what was typed on behind it, or changed, is not lost', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const box = message(panel);
    await pasteText(panel, CODE);
    await panel.page.keyboard.type('is it so?');
    await answered(panel, 1);
    await eventually(async () => (await box.inputValue()) === `${MENTION} is it so?`);
    await panel.page.keyboard.type(' Yes');
    assert.equal(await box.inputValue(), `${MENTION} is it so? Yes`);
    await box.fill('');
    await pasteText(panel, CODE);
    await box.press('Home');
    await box.press('Control+Home');
    await panel.page.keyboard.type('x');
    await answered(panel, 2);
    await panel.page.keyboard.type('y');
    assert.equal(await box.inputValue(), `xy${CODE}`, 'it does not stand there any more');
  });
});

test('a word, and text of another window, stay what they are', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await pasteText(panel, 'total');
    assert.deepEqual(panel.sent('pastedText'), []);
    await pasteText(panel, CODE);
    await eventually(() => panel.sent('pastedText').length === 1);
    assert.equal(panel.sent('pastedText')[0]?.text, CODE);
    assert.equal(await message(panel).inputValue(), `total${CODE}`);
  });
});

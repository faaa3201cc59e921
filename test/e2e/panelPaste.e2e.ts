import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';
import { talkState } from '../harness/panelSandbox/talkStates';

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

/** Undoes until nothing changes any more, and gives all that stood there on the way. */
async function undoAll(panel: SandboxPanel): Promise<readonly string[]> {
  const seen = [await message(panel).inputValue()];
  for (let same = 0; same < 3;) {
    await panel.page.keyboard.press('Control+z');
    const value = await message(panel).inputValue();
    same = value === seen.at(-1) ? same + 1 : 0;
    if (same === 0) seen.push(value);
  }
  return seen;
}

test('Undo takes back a row of the list, a quote and a recalled message, and what was typed before', async () => {
  const row = { id: 'm1', icon: 'file', label: 'cart.ts', insert: '@src/cart.ts ' };
  await withPanel(talkState(), {}, async (panel) => {
    const box = message(panel);
    await box.focus();
    await panel.page.keyboard.type('mine');
    await panel.page.keyboard.press('Control+a');
    await panel.page.keyboard.press('Delete');
    await panel.page.keyboard.press('ArrowUp');
    const said = 'Do that in orderTotal, and add a test with three prices that end in a third.';
    await eventually(async () => (await box.inputValue()) === said);
    const recalled = await undoAll(panel);
    for (const value of ['mine', '']) assert.ok(recalled.includes(value), recalled.join('|'));
    assert.equal(recalled.at(-1), '');

    await panel.page.keyboard.type('first words @ca');
    await eventually(() => panel.sent('suggest').at(-1)?.query.text === 'ca');
    const queryId = panel.sent('suggest').at(-1)?.queryId ?? 0;
    const answer = { rows: [row], notes: [], isPending: false };
    await panel.send({ type: 'suggestions', queryId, answer });
    await panel.page.getByRole('listbox', { name: 'Mentions', exact: true }).waitFor();
    await box.press('Enter');
    await eventually(async () => (await box.inputValue()) === 'first words @src/cart.ts ');
    await panel.page.keyboard.type('and 𝒳');
    await panel.send({ type: 'insertText', text: '> quoted\r\n' });
    const whole = 'first words @src/cart.ts and 𝒳\n> quoted\n';
    await eventually(async () => (await box.inputValue()) === whole);
    await eventually(() => panel.sent('draft').at(-1)?.text === whole);
    const undone = await undoAll(panel);
    for (const value of ['first words @src/cart.ts and 𝒳', 'first words @ca', '']) {
      assert.ok(undone.includes(value), undone.join('|'));
    }
    await eventually(() => panel.sent('draft').at(-1)?.text === '');
  });
});

test('Undo brings no words of a message that has gone, or of another conversation, into the box', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const box = message(panel);
    await box.fill('');
    await panel.page.keyboard.type('gone');
    await panel.page.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(() => panel.sent('submit').length === 1);
    await panel.send({ type: 'submitted', promptId: panel.sent('submit')[0]?.promptId ?? '' });
    await eventually(async () => (await box.inputValue()) === '');
    await box.focus();
    await panel.page.keyboard.type('of the first');
    const snapshot = { type: 'snapshot', state: emptyState(), draft: 'of the second' } as const;
    await panel.send({ ...snapshot, seq: 90, box: 'two' });
    await eventually(async () => (await box.inputValue()) === 'of the second');
    await eventually(() => box.evaluate((one) => one === document.activeElement));
    await panel.page.keyboard.type('!');
    const undone = await undoAll(panel);
    assert.equal(undone.at(-1), 'of the second');
    assert.ok(undone.every((value) => !value.includes('first') && !value.includes('gone')));
  });
});

test('a very long text leaves the box at once, when it was taken and when another one is recalled', async () => {
  const long = 'some words of a log line that is long\n'.repeat(40_000);
  const items = [
    { kind: 'user' as const, id: 'u1', text: 'short' },
    { kind: 'user' as const, id: 'u2', text: long },
  ];
  await withPanel({ ...emptyState(), items }, {}, async (panel) => {
    const { page } = panel;
    /** How long the panel stood still, in milliseconds: of a text typed away, minutes. */
    const stall = (act: () => Promise<void>): Promise<number> =>
      page
        .evaluate(() => performance.now())
        .then(async (begin) => {
          await act();
          return page.evaluate((from) => performance.now() - from, begin);
        });
    await message(panel).focus();
    await page.keyboard.press('ArrowUp');
    await eventually(async () => (await message(panel).inputValue()) === long);
    await message(panel).evaluate((box) => {
      if (box instanceof HTMLTextAreaElement) box.setSelectionRange(0, 0);
    });
    assert.ok((await stall(() => page.keyboard.press('ArrowUp'))) < 10_000);
    assert.equal(await message(panel).inputValue(), 'short');
    await page.keyboard.press('ArrowDown');
    await eventually(async () => (await message(panel).inputValue()) === long);
    await page.keyboard.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const promptId = panel.sent('submit')[0]?.promptId ?? '';
    assert.ok((await stall(() => panel.send({ type: 'submitted', promptId }))) < 10_000);
    assert.equal(await message(panel).inputValue(), '');
    await page.keyboard.type('next');
    assert.equal(await message(panel).inputValue(), 'next', 'it has kept the focus');
  });
});

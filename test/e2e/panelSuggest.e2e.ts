import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SuggestAnswer, SuggestRow } from '../../src/chat/suggestProtocol';
import type { ViewMessage } from '../../src/chat/viewProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState } from '../harness/panelSandbox/states';
import { COMMANDS, MENTIONS, saidState } from '../harness/panelSandbox/suggestRows';

const { withPanel, message, overflows } = panelFixture();

type Asked = Extract<ViewMessage, { type: 'suggest' }>;

/** Waits for the newest question about the word, and answers it. */
async function answer(
  panel: SandboxPanel,
  word: string,
  rows: readonly SuggestRow[],
  more: Partial<SuggestAnswer> = {},
): Promise<Asked> {
  const newest = () => panel.sent('suggest').at(-1);
  await eventually(() => newest()?.query.text === word);
  const asked = newest();
  assert.ok(asked);
  const all = { rows, notes: [], isPending: false, ...more };
  await panel.send({ type: 'suggestions', queryId: asked.queryId, answer: all });
  return asked;
}

const commands = (panel: SandboxPanel) =>
  panel.page.getByRole('listbox', { name: 'Commands', exact: true });
const mentions = (panel: SandboxPanel) =>
  panel.page.getByRole('listbox', { name: 'Mentions', exact: true });

/** The name of the option that the box points to; none where it points to nothing that is there. */
async function pointedAt(panel: SandboxPanel): Promise<string | undefined> {
  const id = await message(panel).getAttribute('aria-activedescendant');
  if (id === null) return undefined;
  const option = panel.page.locator(`[role="option"][id="${id}"][aria-selected="true"]`);
  return (await option.locator('.suggest-label').textContent()) ?? undefined;
}

test('a slash opens the commands, the arrows move in them, Enter takes one and sends nothing', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('/');
    await answer(panel, '', COMMANDS);
    await commands(panel).waitFor();
    assert.equal(await message(panel).getAttribute('aria-controls'), 'suggest-list');
    assert.equal(
      await message(panel).getAttribute('aria-controls'),
      await commands(panel).getAttribute('id'),
    );
    assert.equal(await pointedAt(panel), COMMANDS[0]?.label);
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['End', COMMANDS.length - 1],
      ['ArrowDown', 0],
      ['ArrowUp', COMMANDS.length - 1],
      ['Home', 0],
      ['ArrowDown', 1],
    ] as const) {
      await message(panel).press(key);
      assert.equal(await pointedAt(panel), COMMANDS[index]?.label, key);
    }
    await message(panel).press('Enter');
    await commands(panel).waitFor({ state: 'detached' });
    assert.equal(await message(panel).inputValue(), COMMANDS[1]?.insert);
    assert.equal(await message(panel).getAttribute('aria-controls'), null);
    assert.deepEqual(panel.sent('submit'), []);
  });
});

test('a command that is typed in full is sent by Enter', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('/compact');
    await answer(panel, 'compact', COMMANDS);
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.text, '/compact');
  });
});

test('a prompt asks for its arguments, one after the other', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const value: SuggestRow = {
      ...{ id: 'v', icon: 'symbol-constant', label: 'milk', insert: 'id=milk ' },
    };
    await message(panel).focus();
    await panel.page.keyboard.type('/plan');
    await answer(panel, 'plan', COMMANDS.slice(-2, -1));
    await message(panel).press('Tab');
    const asked = await answer(panel, 'id=', [value], { hint: 'id: Which note' });
    assert.deepEqual(asked.query, {
      kind: 'argument',
      command: 'notes:plan',
      given: '',
      text: 'id=',
    });
    await panel.page.getByText('id: Which note').waitFor();
    await message(panel).press('Enter');
    const hours: SuggestRow = {
      id: 'h',
      icon: 'symbol-parameter',
      label: 'hours=',
      insert: 'hours=',
    };
    await answer(panel, '', [hours], { isOptional: true, hint: 'hours (optional)' });
    await commands(panel).waitFor();
    assert.equal(await pointedAt(panel), undefined);
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.text, '/notes:plan id=milk');
  });
});

test('a command of the panel’s own is run by Enter or the mouse, and leaves the rest of the message', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const own = COMMANDS.filter(({ runs }) => runs === true);
    await message(panel).focus();
    await panel.page.keyboard.type('/n');
    await answer(panel, 'n', own);
    await commands(panel).getByRole('option', { name: '/new Patchbay' }).waitFor();
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const [submit] = panel.sent('submit');
    assert.ok(submit);
    assert.deepEqual([submit.text, await message(panel).inputValue()], ['/new', '']);
    await panel.send({ type: 'submitted', promptId: submit.promptId });
    await message(panel).fill(' and more');
    await message(panel).press('Home');
    await panel.page.keyboard.type('/n');
    await answer(panel, 'n', own);
    await commands(panel).getByRole('option', { name: '/new Patchbay' }).click();
    await eventually(() => panel.sent('submit').length === 2);
    assert.equal(await message(panel).inputValue(), ' and more');
    await panel.send({ type: 'openConversations' });
    await panel.page.getByRole('dialog', { name: 'Conversations', exact: true }).waitFor();
  });
});

test('each kind of mention has its sign and its word, and one with blanks is quoted', async () => {
  await withPanel(emptyState(), { width: 300 }, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('see @ca');
    await answer(panel, 'ca', MENTIONS);
    const option = (name: string) => mentions(panel).getByRole('option', { name, exact: true });
    for (const [name, icon] of [
      ['Git changes 4 files', 'source-control'],
      ['Terminal selection bash', 'terminal'],
      ['cart/ src/features Folder', 'folder'],
      ['Cart src/cart.ts:3-40 Symbol', 'symbol-class'],
      ['Why the cart is slow Conversation', 'comment-discussion'],
    ] as const) {
      await option(name).locator(`.codicon-${icon}`).waitFor();
    }
    assert.equal(await overflows(panel), false);
    await option('Why the cart is slow Conversation').click();
    assert.equal(
      await message(panel).inputValue(),
      'see @"conversation:Why the cart is slow 1a2b3c4d" ',
    );
  });
});

test('an at sign opens the mentions, and a press of the mouse takes one', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('look at @ca');
    await answer(panel, 'ca', MENTIONS);
    await mentions(panel).waitFor();
    await mentions(panel).getByRole('option', { name: 'cart.ts src' }).click();
    await mentions(panel).waitFor({ state: 'detached' });
    assert.equal(await message(panel).inputValue(), 'look at @src/cart.ts ');
    assert.equal(
      await message(panel).evaluate((box) => document.activeElement === box),
      true,
      'the caret has stayed in the box',
    );
    await panel.page.keyboard.type('now');
    assert.equal(await message(panel).inputValue(), 'look at @src/cart.ts now');
    await eventually(() => panel.sent('draft').at(-1)?.text === 'look at @src/cart.ts now');
  });
});

test('the list goes when the caret leaves its word, by keys or a press, and comes no more by that', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const box = message(panel);
    const press = async (x: number): Promise<void> => {
      await box.click({ position: { x, y: 16 } });
    };
    const leave: readonly (() => Promise<void>)[] = [
      async () => {
        for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await box.press(key);
      },
      () => box.press('Control+Home'),
      () => press(20),
    ];
    for (const act of leave) {
      await box.fill('see some words ');
      await box.press('Control+End');
      await panel.page.keyboard.type('@ca');
      await answer(panel, 'ca', MENTIONS);
      await mentions(panel).waitFor();
      await act();
      await mentions(panel).waitFor({ state: 'detached' });
    }
    await box.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    assert.equal(panel.sent('submit')[0]?.text, 'see some words @ca');
  });
});

test('Escape closes the list, the next one stops the turn', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('@');
    await answer(panel, '', MENTIONS);
    await mentions(panel).waitFor();
    await message(panel).press('Escape');
    await message(panel).press('Escape');
    await eventually(() => panel.sent('stop').length > 0);
    assert.equal(panel.sent('stop').length, 1);
    assert.equal(await mentions(panel).count(), 0);
    await panel.page.keyboard.type('c');
    assert.equal(panel.sent('suggest').length, 1, 'it stays closed for this word');
    assert.equal(await message(panel).inputValue(), '@c');
  });
});

test('an answer to an older word is dropped, a source that failed is said', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('@c');
    await eventually(() => panel.sent('suggest').at(-1)?.query.text === 'c');
    const old = panel.sent('suggest').at(-1);
    assert.ok(old);
    await panel.page.keyboard.type('a');
    await answer(panel, 'ca', MENTIONS.slice(0, 1), { notes: ['notes could not be asked: gone'] });
    await panel.page.getByText('notes could not be asked: gone').waitFor();
    const late = { rows: MENTIONS, notes: [], isPending: false };
    await panel.send({ type: 'suggestions', queryId: old.queryId, answer: late });
    // What is sent after it has been drawn, so it has arrived.
    await panel.patch({ op: 'set', fields: { status: { kind: 'working' } } });
    await panel.page.getByText('Working', { exact: true }).waitFor();
    assert.equal(await mentions(panel).getByRole('option').count(), 1);
  });
});

test('Enter of an input method takes no row', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('@c');
    await answer(panel, 'c', MENTIONS);
    await mentions(panel).waitFor();
    const wasTaken = await message(panel).evaluate((box) => {
      const init = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
      return !box.dispatchEvent(new KeyboardEvent('keydown', init));
    });
    assert.equal(wasTaken, false);
    assert.equal(await message(panel).inputValue(), '@c');
    assert.deepEqual(panel.sent('submit'), []);
  });
});

test('what the model got for a message can be read under it', async () => {
  await withPanel(saidState(), {}, async ({ page }) => {
    const fold = page.getByRole('button', { name: 'Sent: Prompt plan of notes' });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    assert.equal(await page.getByText('Plan 8 hours around').count(), 0);
    await fold.click();
    await page.getByText('Plan 8 hours around').waitFor();
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
  });
});

test('a message whose names are still being read can be taken back', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('see @notes:note://milk now');
    await message(panel).press('Enter');
    await panel.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await eventually(() => panel.sent('cancelSubmit').length === 1);
    assert.deepEqual(panel.sent('stop'), [], 'a turn that runs goes on');
    const promptId = panel.sent('submit')[0]?.promptId ?? '';
    await panel.send({ type: 'submitted', promptId, refused: 'Stopped. It is kept.' });
    await panel.page.getByRole('alert').getByText('Stopped. It is kept.').waitFor();
    assert.equal(await message(panel).inputValue(), 'see @notes:note://milk now');
    assert.equal(await panel.page.getByText('Preparing the message').count(), 0);
  });
});

test('at 300 px the list fits, with targets of 24 px and nothing for axe', async () => {
  for (const theme of ['light', 'hc'] as const) {
    await withPanel(emptyState(), { theme, width: 300 }, async (panel) => {
      const [typed, rows] = theme === 'hc' ? ['/', COMMANDS] : ['@', MENTIONS];
      await message(panel).focus();
      await panel.page.keyboard.type(typed);
      const notes = ['notes could not be asked: no answer within 5 s'];
      await answer(panel, '', rows, { notes, isPending: true });
      await panel.page.getByRole('listbox').waitFor();
      assert.equal(await overflows(panel), false);
      const outside = await panel.page.getByRole('option').evaluateAll((all) =>
        all
          .map((option) => ({ name: option.textContent, box: option.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 24 || box.left < 0 || box.right > innerWidth)
          .map(({ name }) => name),
      );
      assert.deepEqual(outside, []);
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  }
});

const CART: SuggestRow = {
  ...{ id: 'c', icon: 'file', label: 'cart.ts', insert: '@src/cart.ts ' },
};

test('Enter on a list that is slow takes its row, while one types on behind it', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('see @ca');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type(' plea');
    await answer(panel, 'ca', [CART]);
    await eventually(async () => (await message(panel).inputValue()) === 'see @src/cart.ts plea');
    await panel.page.keyboard.type('se');
    assert.equal(await message(panel).inputValue(), 'see @src/cart.ts please');
    assert.deepEqual(panel.sent('submit'), []);
  });
});

test('Enter on a slow list with nothing in it sends what stood there, and not what is typed behind it', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).focus();
    await panel.page.keyboard.type('at @5pm');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type(' and half a wo');
    await answer(panel, '5pm', []);
    await eventually(() => panel.sent('submit').length === 1);
    const sent = panel.sent('submit')[0];
    assert.equal(sent?.text, 'at @5pm');
    await panel.send({ type: 'submitted', promptId: sent.promptId });
    await eventually(async () => (await message(panel).inputValue()) === 'and half a wo');
  });
});

test('Enter that is held down on a slow list takes the row, and sends nothing', async () => {
  for (const sendKey of ['enter', 'modEnter'] as const) {
    await withPanel({ ...emptyState(), sendKey }, {}, async (panel) => {
      await message(panel).focus();
      await panel.page.keyboard.type('see @ca');
      for (let n = 0; n < 4; n += 1) await panel.page.keyboard.down('Enter');
      await answer(panel, 'ca', [CART]);
      await eventually(async () => (await message(panel).inputValue()) === 'see @src/cart.ts ');
      await panel.page.keyboard.up('Enter');
      assert.deepEqual(panel.sent('submit'), []);
    });
  }
});

test('where Enter breaks the line, it does so at the caret, also after a slow list with nothing in it', async () => {
  await withPanel({ ...emptyState(), sendKey: 'modEnter' }, {}, async (panel) => {
    const box = message(panel);
    await box.fill('\nbelow');
    await box.press('Control+Home');
    await panel.page.keyboard.type('at @5pm');
    await panel.page.keyboard.press('Enter');
    await answer(panel, '5pm', []);
    await eventually(async () => (await box.inputValue()) === 'at @5pm\n\nbelow');
    await panel.page.keyboard.type('x');
    assert.equal(await box.inputValue(), 'at @5pm\nx\nbelow');
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { longTalk } from '../harness/panelSandbox/longTalk';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { talkState } from '../harness/panelSandbox/talkStates';

const { withPanel, message, overflows } = panelFixture();

const article = (panel: SandboxPanel, name: 'You' | 'Claude', index: number) =>
  panel.page.getByRole('article', { name, exact: true }).nth(index);
const action = (panel: SandboxPanel, name: 'You' | 'Claude', index: number, button: string) =>
  article(panel, name, index).getByRole('button', { name: button, exact: true });
const box = (panel: SandboxPanel) =>
  panel.page.getByRole('textbox', { name: 'Edit message', exact: true });
const button = (panel: SandboxPanel, name: string) =>
  panel.page.getByRole('button', { name, exact: true });
const hasFocus = (panel: SandboxPanel) =>
  box(panel).evaluate((one) => one === document.activeElement);

test('every article has its ways to go on, Retry only the last answer', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await action(panel, 'You', 0, 'Fork from here').waitFor();
    for (const [name, index, buttons] of [
      ['You', 0, ['Copy', 'Quote', 'Edit', 'Fork from here']],
      ['Claude', 0, ['Copy', 'Quote', 'Fork from here', 'Pin']],
      ['You', 1, ['Copy', 'Quote', 'Edit', 'Fork from here']],
      ['Claude', 1, ['Copy', 'Quote', 'Retry', 'Fork from here', 'Pin']],
    ] as const) {
      const names = await article(panel, name, index)
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.ariaLabel));
      assert.deepEqual(names, buttons);
    }
    for (const [name, index, button] of [
      ['Claude', 0, 'Fork from here'],
      ['You', 1, 'Fork from here'],
      ['Claude', 1, 'Retry'],
    ] as const) {
      // Rows of neighbours lie over each other; the one that is pointed at is seen.
      await article(panel, name, index).hover();
      await action(panel, name, index, button).click();
    }
    await eventually(() => panel.sent('retryAnswer').length === 1);
    assert.deepEqual(
      panel.sent('forkHere').map(({ itemId }) => itemId),
      ['a1', 'u2'],
    );
  });
});

test('an answer that is still coming, and a prompt that was not sent, have none', async () => {
  const state = talkState({ status: { kind: 'working' } });
  const items = [...state.items, { kind: 'user' as const, id: 'u3', text: 'not sent yet' }];
  await withPanel({ ...state, items: items.slice(0, 4) }, {}, async (panel) => {
    await action(panel, 'Claude', 0, 'Fork from here').waitFor();
    assert.equal(await action(panel, 'Claude', 1, 'Fork from here').count(), 0);
    assert.equal(await action(panel, 'Claude', 1, 'Retry').count(), 0);
    await panel.patch({ op: 'set', fields: { status: { kind: 'idle' } } });
    await action(panel, 'Claude', 1, 'Retry').waitFor();
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'u3', text: 'not sent yet' } });
    await action(panel, 'Claude', 1, 'Retry').waitFor({ state: 'detached' });
    assert.equal(await action(panel, 'You', 2, 'Edit').count(), 0);
    assert.equal(await action(panel, 'You', 2, 'Copy').count(), 1);
  });
});

test('Edit turns a prompt into a box with its words, Enter sends them once', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await action(panel, 'You', 0, 'Edit').click();
    assert.equal(await box(panel).inputValue(), 'Why is the total off by a cent?');
    assert.ok(await hasFocus(panel));
    await panel.page.keyboard.type(' Or two?');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('editPrompt').length === 1);
    const [sent] = panel.sent('editPrompt');
    assert.equal(sent?.itemId, 'u1');
    assert.equal(sent.text, 'Why is the total off by a cent? Or two?');
    assert.ok(await button(panel, 'Resend').isDisabled());
    const [, , second, last] = talkState().items;
    assert.ok(second && last);
    await panel.snapshot(talkState({ items: [second, last] }));
    await box(panel).waitFor({ state: 'detached' });
    assert.equal(panel.sent('editPrompt').length, 1);
    assert.deepEqual(panel.sent('submit'), []);
  });
});

test('with Edit of another message its box has the focus, whichever stands above the other', async () => {
  for (const [one, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    await withPanel(talkState(), {}, async (panel) => {
      for (const index of [one, other]) {
        await action(panel, 'You', index, 'Edit').press('Enter');
        await eventually(() => hasFocus(panel));
      }
      await panel.page.keyboard.type(' And why?');
      assert.match(
        await article(panel, 'You', other).getByRole('textbox').inputValue(),
        /And why\?$/,
      );
    });
  }
});

test('what the host does not send stays in the box, with the reason', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await action(panel, 'You', 1, 'Edit').click();
    await box(panel).fill('Do something else');
    await button(panel, 'Resend').click();
    await eventually(() => panel.sent('editPrompt').length === 1);
    const { promptId } = panel.sent('editPrompt')[0]!;
    await panel.send({ type: 'edited', promptId, refused: 'The disk is full.' });
    await article(panel, 'You', 1).getByRole('alert').getByText('The disk is full.').waitFor();
    assert.equal(await box(panel).inputValue(), 'Do something else');
    await button(panel, 'Resend').click();
    await eventually(() => panel.sent('editPrompt').length === 2);
    assert.notEqual(panel.sent('editPrompt')[1]?.promptId, promptId);
  });
});

test('Escape and Cancel put the words back, stop no turn, and the focus returns', async () => {
  await withPanel(talkState({ status: { kind: 'working' } }), {}, async (panel) => {
    for (const leave of ['Escape', 'Cancel']) {
      await action(panel, 'You', 0, 'Edit').click();
      await box(panel).fill('never mind');
      if (leave === 'Escape') await panel.page.keyboard.press('Escape');
      else await button(panel, 'Cancel').click();
      await article(panel, 'You', 0).getByText('Why is the total off by a cent?').waitFor();
      const edit = action(panel, 'You', 0, 'Edit');
      assert.ok(await edit.evaluate((one) => one === document.activeElement), leave);
    }
    await eventually(() => panel.sent('editDraft').at(-1)?.edit === undefined);
    assert.deepEqual(panel.sent('stop'), []);
  });
});

test('what is typed is a draft of the host, and a new view has it back', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await action(panel, 'You', 0, 'Edit').click();
    await box(panel).fill('half a tho');
    const draft = { wireId: 'w-u1', text: 'half a tho' };
    await eventually(() => panel.sent('editDraft').length > 0);
    assert.deepEqual(panel.sent('editDraft').at(-1)?.edit, draft);
    // A snapshot that comes meanwhile takes nothing away.
    await box(panel).fill('half a thought');
    await panel.snapshot(talkState());
    assert.equal(await box(panel).inputValue(), 'half a thought');
  });
  await withPanel(talkState(), { edit: { wireId: 'w-u2', text: 'from before' } }, async (panel) => {
    await article(panel, 'You', 1).getByRole('textbox').waitFor();
    assert.equal(await box(panel).inputValue(), 'from before');
    assert.equal(await message(panel).inputValue(), '');
  });
});

test('a box to edit in that is drawn again, far away or in a new view, takes the focus from nobody', async () => {
  const talk = longTalk(100);
  const items = talk.items.map((item) =>
    item.kind === 'user' ? { ...item, wireId: `w-${item.id}` } : item,
  );
  const edit = { wireId: 'w-u0', text: 'from before' };
  const scrollTo = (panel: SandboxPanel, share: number) =>
    panel.page.getByRole('log').evaluate((one, part) => {
      one.scrollTop = one.scrollHeight * part;
    }, share);
  await withPanel({ ...talk, items }, { edit }, async (panel) => {
    await message(panel).focus();
    for (const round of ['in a new view', 'drawn again']) {
      await scrollTo(panel, 0);
      await box(panel).waitFor();
      assert.ok(await message(panel).evaluate((one) => one === document.activeElement), round);
      await scrollTo(panel, 1);
      await eventually(async () => (await box(panel).count()) === 0);
    }
    await scrollTo(panel, 0);
    await action(panel, 'You', 1, 'Edit').click();
    assert.ok(await hasFocus(panel), 'pressed it has it');
  });
});

test('an input method keeps its Enter and its Escape', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await action(panel, 'You', 0, 'Edit').click();
    for (const key of ['Enter', 'Escape']) {
      await box(panel).dispatchEvent('keydown', { key, keyCode: 229, isComposing: true });
    }
    assert.ok(await box(panel).isVisible());
    assert.deepEqual(panel.sent('editPrompt'), []);
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`in ${theme} at 300 px a box to edit in fits, with nothing for axe`, async () => {
    await withPanel(talkState(), { theme, width: 300 }, async (panel) => {
      await action(panel, 'You', 1, 'Edit').click();
      await box(panel).waitFor();
      assert.equal(await overflows(panel), false);
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  });
}

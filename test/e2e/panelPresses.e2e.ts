import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { filesCards } from '../harness/panelSandbox/approvalStates';
import { oneQuestion, smallForm } from '../harness/panelSandbox/askStates';
import { cardState, commandCard } from '../harness/panelSandbox/cardStates';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { planCard } from '../harness/panelSandbox/planStates';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState } from '../harness/panelSandbox/states';
import { talkState } from '../harness/panelSandbox/talkStates';

const { withPanel, message } = panelFixture();

const button = (panel: SandboxPanel, name: string) =>
  panel.page.getByRole('button', { name, exact: true });
const count = (all: Locator, wanted: number) =>
  eventually(async () => (await all.count()) === wanted);
const isFocused = (one: Locator) => one.evaluate((e) => e === document.activeElement);

/** A press, what comes of it, and the same press once more before anybody can have looked. */
type Twice = (panel: SandboxPanel, pressed: Locator, between: () => Promise<void>) => Promise<void>;

const doubleClick: Twice = async ({ page }, pressed, between) => {
  const box = await pressed.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    if (clickCount === 1) await between();
  }
};

const heldKey: Twice = async ({ page }, pressed, between) => {
  await pressed.focus();
  await page.keyboard.down('Enter');
  await between();
  // Pressed while it is down it is one that repeats.
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
};

const queue = ['one', 'two', 'three'].map((id) => ({ id, text: id }));
const listOf = (...ids: readonly string[]) => ({
  type: 'conversations' as const,
  answer: {
    kind: 'list' as const,
    rows: ids.map((id) => ({ sessionId: id, title: `Talk ${id}`, changedAt: 1 })),
  },
});

for (const [how, twice] of [
  ['a double click', doubleClick],
  ['a key that is held down', heldKey],
] as const) {
  test(`${how} does not act on the row that comes in the place of the first`, async () => {
    await withPanel({ ...streamingState(), queue }, {}, async (panel) => {
      const remove = button(panel, 'Remove');
      await twice(panel, remove.nth(2), async () => {
        await eventually(() => panel.sent('queue').length === 1);
        await panel.patch({ op: 'set', fields: { queue: queue.slice(0, 2) } });
        await count(remove, 2);
      });
      assert.deepEqual(
        panel.sent('queue').map(({ promptId }) => promptId),
        ['three'],
      );
    });
  });

  test(`${how} deletes one conversation and opens none`, async () => {
    await withPanel(emptyState(), {}, async (panel) => {
      await button(panel, 'Conversations').click();
      await panel.send(listOf('a', 'b', 'c'));
      await twice(panel, button(panel, 'Delete: Talk a'), async () => {
        await eventually(() => panel.sent('deleteConversation').length === 1);
        await panel.send(listOf('b', 'c'));
        await button(panel, 'Delete: Talk b').waitFor();
      });
      assert.deepEqual(
        panel.sent('deleteConversation').map(({ sessionId }) => sessionId),
        ['a'],
      );
      assert.deepEqual(panel.sent('openConversation'), []);
    });
  });
}

for (const [how, twice] of [
  ['a double click', doubleClick],
  ['a key that is held down', heldKey],
] as const) {
  test(`${how} makes one fork, one new conversation, and asks for files once`, async () => {
    for (const [name, type] of [
      ['Retry', 'retryAnswer'],
      ['Fork from here', 'forkHere'],
      ['New conversation', 'newConversation'],
      ['Attach files…', 'chooseFiles'],
    ] as const) {
      await withPanel(talkState(), {}, async (panel) => {
        const pressed = button(panel, name).last();
        await pressed.focus();
        await twice(panel, pressed, () => eventually(() => panel.sent(type).length === 1));
        await panel.snapshot(talkState());
        assert.equal(panel.sent(type).length, 1, name);
        await pressed.press('Enter');
        await eventually(() => panel.sent(type).length === 2);
      });
    }
  });
}

test('a double click on Send sends, and does not press the Stop that comes in its place', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('fix it');
    await doubleClick(panel, button(panel, 'Send'), async () => {
      await eventually(() => panel.sent('submit').length === 1);
      const promptId = panel.sent('submit')[0]?.promptId ?? '';
      await panel.send({ type: 'submitted', promptId });
      await panel.patch({ op: 'set', fields: { status: { kind: 'starting' } } });
      await button(panel, 'Stop').waitFor();
    });
    assert.deepEqual(panel.sent('stop'), []);
    await button(panel, 'Stop').click();
    await eventually(() => panel.sent('stop').length === 1);
  });
});

test('a double click grants one request, and not the next, which nobody has read', async () => {
  const [first, second] = [commandCard('c1'), commandCard('c2', 'rm -rf build')];
  const state = { ...cardState(first, second), items: [] };
  await withPanel(state, {}, async (panel) => {
    const allow = button(panel, 'Allow once');
    await allow.nth(1).waitFor();
    await doubleClick(panel, allow.first(), async () => {
      await eventually(() => panel.sent('answerPermission').length === 1);
      await panel.patch({ op: 'set', fields: { permissions: [second] } });
      await count(allow, 1);
    });
    assert.deepEqual(
      panel.sent('answerPermission').map(({ cardId }) => cardId),
      ['c1'],
    );
  });
});

test('the Enter that answers a card, held down, does not send the draft that gets the focus', async () => {
  await withPanel(cardState(commandCard()), {}, async (panel) => {
    await message(panel).fill('half a sent');
    const reason = panel.page.getByRole('textbox', { name: 'Reason (optional)', exact: true });
    await heldKey(panel, reason, async () => {
      await eventually(() => panel.sent('answerPermission').length === 1);
      await panel.patch({ op: 'set', fields: { permissions: [] } });
      await eventually(() => isFocused(message(panel)));
    });
    assert.equal(await message(panel).inputValue(), 'half a sent');
    assert.deepEqual(panel.sent('submit'), []);
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
  });
});

test('a card that is taken back hands its keys to nothing that they would act on', async () => {
  const cards = {
    permission: { permissions: [commandCard()], asks: [] },
    question: { permissions: [], asks: [oneQuestion()] },
    form: { permissions: [], asks: [smallForm()] },
    plan: { permissions: [], asks: [planCard()] },
    approval: { permissions: [], asks: [], approvals: [filesCards.first()] },
  };
  const none = { permissions: [], asks: [], approvals: [] };
  for (const [name, fields] of Object.entries(cards)) {
    await withPanel({ ...emptyState(), ...fields }, { draft: 'my draft' }, async (panel) => {
      const card = panel.page.locator('.card');
      const box = card.getByRole('textbox');
      const isTyped = (await box.count()) > 0;
      const place = isTyped ? box.first() : card.getByRole('button').first();
      await place.focus();
      if (isTyped) await panel.page.keyboard.type('beca');
      await panel.patch({ op: 'set', fields: none });
      await count(card, 0);
      await panel.page.keyboard.type('use of this');
      await panel.page.keyboard.press('Enter');
      assert.ok(await isFocused(panel.page.getByRole('log')), name);
      assert.equal(await message(panel).inputValue(), 'my draft', name);
      assert.deepEqual(panel.sent('submit'), [], name);
    });
  }
});

test('the Escape that closes what is open, held down, does not stop the turn', async () => {
  await withPanel(streamingState(), {}, async (panel) => {
    const list = panel.page.getByRole('listbox', { name: 'Model', exact: true });
    await panel.page.getByRole('button', { name: /^Model/ }).click();
    await list.waitFor();
    await panel.page.keyboard.down('Escape');
    await count(list, 0);
    await panel.page.keyboard.down('Escape');
    await panel.page.keyboard.up('Escape');
    assert.deepEqual(panel.sent('stop'), []);
    await panel.page.keyboard.press('Escape');
    await eventually(() => panel.sent('stop').length === 1);
  });
});

test('the Enter that opens the conversations, held down, opens none of them', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await heldKey(panel, button(panel, 'Conversations'), async () => {
      await panel.page.getByRole('dialog').waitFor();
      await panel.send(listOf('a', 'b'));
      await panel.page.getByRole('option').first().waitFor();
    });
    assert.deepEqual(panel.sent('openConversation'), []);
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('openConversation').length === 1);
  });
});

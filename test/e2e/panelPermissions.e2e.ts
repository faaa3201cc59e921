import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessState } from '../harness/panelSandbox/accessStates';
import { axeFindings } from '../harness/panelSandbox/axe';
import {
  cardState,
  commandCard,
  editCard,
  fetchCard,
  manyCards,
  outsideCard,
  ownToolCard,
} from '../harness/panelSandbox/cardStates';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';

const { withPanel, message, overflows } = panelFixture();

test('a card says what will happen, shows the thing itself, and why it is asked', async () => {
  const state = cardState(fetchCard(), ownToolCard(), outsideCard());
  await withPanel(state, {}, async ({ page }) => {
    const fetched = page.getByRole('group', { name: 'Permission request: Fetch a page' });
    await fetched.getByRole('heading', { name: /^Fetch from docs\.xn--/ }).waitFor();
    await fetched.getByText('http://docs.ex\u0430mple.org/guide?version=2').waitFor();
    await fetched.getByText('Not encrypted').waitFor();
    await fetched.getByText('1 of 3', { exact: true }).waitFor();
    const own = page.getByRole('group', { name: 'Permission request: Publish a build' });
    await own.getByText('May overwrite or delete · Reaches outside this machine').waitFor();
    const write = page.getByRole('group', { name: 'Permission request: Write a file' });
    await write
      .getByRole('heading', { name: 'Create link/hosts, outside the workspace' })
      .waitFor();
    assert.equal(await write.getByRole('button', { name: 'Always allow…' }).count(), 0);
  });
});

test('a request that is too long to be drawn can be opened whole', async () => {
  const long = { ...commandCard(), body: 'echo 1 …', isCut: true };
  await withPanel(cardState(long), {}, async (panel) => {
    await panel.page.getByRole('button', { name: 'Show all of it', exact: true }).click();
    await eventually(() => panel.sent('showRequest').length === 1);
  });
  await withPanel(cardState({ ...long, interrupted: true }), {}, async ({ page }) => {
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show all of it' }).count(), 0);
  });
});

test('nothing of a change is out of sight beside its box, and a line that is cut is told', async () => {
  const lines = [`+const a = 1;${' '.repeat(1_500)}evil();`, `+// ${'x'.repeat(300)}`, '+}'];
  const diff = {
    path: 'src/a.ts',
    hunks: [{ oldStart: 0, newStart: 1, lines }],
    added: 3,
    removed: 0,
  };
  const card = { ...editCard(), diff };
  for (const hasCutLines of [undefined, true] as const) {
    const state = cardState({ ...card, diff: { ...diff, ...(hasCutLines && { hasCutLines }) } });
    await withPanel(state, {}, async ({ page }) => {
      const box = page.getByRole('group', { name: 'Change of src/a.ts', exact: true });
      await box.waitFor();
      const hidden = await box.evaluate((one) => one.scrollWidth - one.clientWidth);
      assert.ok(hidden <= 0, `${hidden} pixels of it are beside the box`);
      const note = page.getByText('“Show diff” has all of them', { exact: false });
      assert.equal(await note.count(), hasCutLines === true ? 1 : 0);
    });
  }
});

test('Always allow… opens the places with rule and file, by keys alone; Escape grants nothing', async () => {
  await withPanel(cardState(commandCard()), {}, async (panel) => {
    const { page } = panel;
    const button = page.getByRole('button', { name: 'Always allow…', exact: true });
    const list = page.getByRole('listbox', { name: 'Always allow', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await list.waitFor();
    assert.equal(await list.evaluate((e) => e === document.activeElement), true);
    await page.locator('.always-box').getByText('Bash(npm test *)').waitFor();
    assert.deepEqual(
      await list.getByRole('option').evaluateAll((all) => all.map((e) => e.textContent)),
      [
        'This workspace, only for me.claude/settings.local.json',
        'The project, for everyone.claude/settings.jsonNot used before the agent trusts this folder.',
        'Everywhere~/.claude/settings.json',
      ],
    );
    await page.keyboard.press('Escape');
    await eventually(async () => (await list.count()) === 0);
    assert.equal(await button.evaluate((e) => e === document.activeElement), true);
    assert.deepEqual([panel.sent('answerPermission'), panel.sent('stop')], [[], []]);
    await page.keyboard.press('Enter');
    await list.waitFor();
    await page.keyboard.press('ArrowDown');
    // The first half second counts for nothing; the list stays open until a key has chosen.
    await eventually(async () => {
      await page.keyboard.press('Enter');
      return panel.sent('answerPermission').length > 0;
    });
    assert.equal(panel.sent('answerPermission')[0]?.answer, 'alwaysProject');
  });
});

test('Escape leads out of a request and out of an approval, and neither answers nor stops', async () => {
  const approving = accessState('approval').state();
  for (const [state, role, name] of [
    [cardState(commandCard()), 'textbox', 'Reason (optional)'],
    [cardState(commandCard()), 'button', 'Deny'],
    [{ ...approving, status: { kind: 'working' as const } }, 'button', 'Not now'],
  ] as const) {
    await withPanel(state, {}, async (panel) => {
      await panel.page.getByRole(role, { name, exact: true }).press('Escape');
      await eventually(() => message(panel).evaluate((one) => one === document.activeElement));
      const done = [...panel.sent('stop'), ...panel.sent('answerPermission')];
      assert.deepEqual([...done, ...panel.sent('answerApproval')], [], name);
    });
  }
});

test('the key that opens the places, held down, chooses none of them', async () => {
  await withPanel(cardState(commandCard()), {}, async (panel) => {
    const { page } = panel;
    await page.getByRole('button', { name: 'Always allow…', exact: true }).click();
    const list = page.getByRole('listbox', { name: 'Always allow', exact: true });
    await list.waitFor();
    const held = { key: 'Enter', bubbles: true, cancelable: true, repeat: true };
    await list.evaluate((e, init) => e.dispatchEvent(new KeyboardEvent('keydown', init)), held);
    assert.deepEqual(panel.sent('answerPermission'), []);
    await list.getByRole('option', { name: /^Everywhere/ }).click();
    await eventually(() => panel.sent('answerPermission').length === 1);
    assert.equal(panel.sent('answerPermission')[0]?.answer, 'alwaysUser');
  });
});

test('two hundred requests are drawn a few at a time in their order, and the rest is counted', async () => {
  const cards = manyCards(200);
  await withPanel(cardState(...cards), {}, async (panel) => {
    const { page } = panel;
    const drawn = page.getByRole('group', { name: 'Permission request: Run a command' });
    await page.getByText('197 more permission requests wait.').waitFor();
    assert.equal(await drawn.count(), 3);
    await drawn.first().getByText('1 of 200', { exact: true }).waitFor();
    await drawn.first().getByRole('button', { name: 'Deny', exact: true }).click();
    await eventually(() => panel.sent('answerPermission').length === 1);
    assert.equal(panel.sent('answerPermission')[0]?.cardId, cards[0]?.id);
    await panel.patch({ op: 'set', fields: { permissions: cards.slice(1) } });
    await page.getByText('196 more permission requests wait.').waitFor();
    await drawn.first().getByText('node step1.mjs').waitFor();
  });
});

test('what the agent was not told stands before the next message, and can be taken away', async () => {
  const state = cardState();
  const queue = [{ id: 'q1', text: 'ask the tests first', held: true, leads: true }];
  await withPanel({ ...state, status: { kind: 'idle' }, queue }, {}, async (panel) => {
    const list = panel.page.getByRole('list', { name: 'Queued messages' });
    await list.getByText('Before your next message').waitFor();
    await list.getByRole('button', { name: 'Remove' }).click();
    await eventually(() => panel.sent('queue').length === 1);
    assert.equal(panel.sent('queue')[0]?.action, 'remove');
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`axe finds nothing in cards of each kind, at 300 px, in the theme ${theme}`, async () => {
    const pairs = [
      [commandCard(), editCard()],
      [fetchCard(), ownToolCard(), outsideCard()],
    ];
    for (const cards of pairs) {
      await withPanel(cardState(...cards), { theme, width: 300, height: 2400 }, async (panel) => {
        await message(panel).waitFor();
        await panel.page.getByRole('button', { name: 'Always allow…' }).first().click();
        await panel.page.getByRole('listbox', { name: 'Always allow', exact: true }).waitFor();
        assert.deepEqual(await axeFindings(panel.page), []);
        assert.equal(await overflows(panel), false);
      });
    }
  });
}

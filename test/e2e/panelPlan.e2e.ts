import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { PlanCard } from '../../src/chat/askProtocol';
import type { Patch } from '../../src/chat/patchProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import {
  decidedPlans,
  fullPlan,
  LONG_PLAN,
  planCard,
  planState,
  SHORT_PLAN,
} from '../harness/panelSandbox/planStates';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';

const { withPanel, message, overflows } = panelFixture();

const set = (...asks: readonly PlanCard[]): Patch => ({ op: 'set', fields: { asks } });
const planOf = (panel: SandboxPanel) =>
  panel.page.getByRole('group', { name: 'Plan', exact: true });
const button = (panel: SandboxPanel, name: string) =>
  planOf(panel).getByRole('button', { name, exact: true });
const isFocused = (it: Locator) => it.evaluate((e) => e === document.activeElement);
const replies = (panel: SandboxPanel) => panel.sent('answerAsk').map(({ reply }) => reply);

test('a plan comes without taking the focus, is said, and stands as the markdown that it is', async () => {
  await withPanel(planState(), {}, async (panel) => {
    await message(panel).fill('a draft');
    await panel.patch(set(planCard()));
    const plan = planOf(panel);
    await plan.getByRole('heading', { name: 'Dates in the report' }).waitFor();
    assert.equal(await plan.getByRole('listitem').count(), 3);
    assert.ok(await isFocused(message(panel)));
    const loud = panel.page.locator('[data-live="assertive"]');
    await loud.getByText('Plan. Dates in the report').waitFor({ state: 'attached' });
    for (const name of ['Approve', 'Approve and auto-accept edits', 'Keep planning']) {
      assert.equal(await button(panel, name).count(), 1, name);
    }
    assert.equal(await button(panel, 'Show the whole plan').count(), 0);
  });
});

test('a click approves at once; a key does so only once the focus has been in the card for a while', async () => {
  await withPanel(planState(planCard()), {}, async (panel) => {
    const approve = button(panel, 'Approve');
    await approve.waitFor();
    // In one go: no time passes between the focus and the key.
    await approve.evaluate((e: HTMLElement) => {
      e.focus();
      e.click();
    });
    assert.deepEqual(replies(panel), []);
    await eventually(async () => {
      await approve.press('Enter');
      return replies(panel).length > 0;
    });
    assert.deepEqual(replies(panel)[0], { action: 'approve', acceptEdits: false });
  });
  await withPanel(planState(planCard()), {}, async (panel) => {
    await button(panel, 'Approve and auto-accept edits').click();
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel), [{ action: 'approve', acceptEdits: true }]);
    await panel.patch(set());
    await eventually(() => isFocused(message(panel)));
  });
});

test('what should change is typed into the card, survives a new view, and goes with Keep planning', async () => {
  await withPanel(planState(planCard()), {}, async (panel) => {
    const words = planOf(panel).getByRole('textbox', { name: 'What to change (optional)' });
    await words.press('Enter');
    await words.fill('fewer steps');
    await eventually(() => panel.sent('askDraft').at(-1)?.draft.words === 'fewer steps');
    await panel.patch(set(planCard({ edited: `${SHORT_PLAN}4. Look at it\n` })));
    await planOf(panel).getByText('edited by you').waitFor();
    assert.equal(await words.inputValue(), 'fewer steps');
    assert.ok(await isFocused(words));
    await words.press('Escape');
    await eventually(() => isFocused(message(panel)));
    assert.deepEqual([replies(panel), panel.sent('stop')], [[], []]);
    panel.hold(planState(planCard({ draft: { words: 'fewer steps' } })));
    await panel.page.reload();
    await eventually(async () => (await words.inputValue()) === 'fewer steps');
    await button(panel, 'Keep planning').click();
    await eventually(() => replies(panel).length === 1);
    assert.deepEqual(replies(panel)[0], { action: 'keepPlanning', words: 'fewer steps' });
  });
});

test('a long plan is folded in a box that keys can scroll, with edits and comments below it', async () => {
  await withPanel(planState(fullPlan()), { height: 1400 }, async (panel) => {
    const plan = planOf(panel);
    const text = plan.getByRole('group', { name: 'Text of the plan' });
    const scrolls = () => text.evaluate((e) => e.scrollHeight > e.clientHeight);
    assert.ok(await scrolls());
    assert.equal(await text.getAttribute('tabindex'), '0');
    await button(panel, 'Show the whole plan').click();
    await button(panel, 'Show less').waitFor();
    await eventually(async () => !(await scrolls()));
    await text.getByText('A receipt by hand').waitFor();
    const comments = plan.getByRole('list', { name: 'Comments' });
    assert.deepEqual(
      (await comments.getByRole('listitem').allInnerTexts()).map((words) => words.split('\n')[0]),
      ['deleted text near line 5', 'line 15'],
    );
    await comments.getByRole('button', { name: 'Remove the comment on line 15' }).click();
    await button(panel, 'Open as document').click();
    await button(panel, 'Save in workspace…').click();
    await button(panel, 'Discard my edits').click();
    await eventually(() => panel.sent('planCard').length === 3);
    assert.deepEqual(panel.sent('removePlanComment'), [
      { type: 'removePlanComment', cardId: 'pl1', commentId: 'c1' },
    ]);
    assert.deepEqual(
      panel.sent('planCard').map(({ action }) => action),
      ['open', 'save', 'discardEdits'],
    );
    assert.deepEqual(replies(panel), []);
  });
});

test('nothing in a plan acts: no script, no picture, no address but that of a link for the host', async () => {
  const plan = [
    '# <img src=x onerror="document.title=1"> Title',
    '<script>document.title = "ran"</script>',
    '![pixel](https://example.com/p.png) [go](javascript:alert(1)) [doc](docs/a.md)',
  ].join('\n\n');
  await withPanel(planState(planCard({ plan })), {}, async (panel) => {
    const text = planOf(panel).getByRole('group', { name: 'Text of the plan' });
    await text.getByText('<script>').waitFor();
    assert.equal(await text.locator('img, script, iframe, [href^="javascript"]').count(), 0);
    await text.getByRole('link', { name: 'doc' }).click();
    await eventually(() => panel.sent('openLink').length === 1);
    assert.deepEqual(panel.requests, []);
  });
});

test('without a text a plan can be answered and no more; interrupted it can also be put away', async () => {
  const none = planCard({ id: 'p0', plan: undefined });
  const cut = planCard({ id: 'p1', cutFrom: 5_000_000 });
  const lost = planCard({ id: 'p2', interrupted: true });
  await withPanel(planState(none, cut, lost), { height: 1600 }, async (panel) => {
    const plans = planOf(panel);
    await plans.nth(0).getByText('has written no plan').waitFor();
    await plans.nth(1).getByText('5000000 characters').waitFor();
    const named = (name: string) =>
      plans.evaluateAll(
        (all, words) =>
          all.map((e) =>
            [...e.querySelectorAll('button')].some((b) => b.textContent.trim() === words),
          ),
        name,
      );
    assert.deepEqual(await named('Open as document'), [false, false, true]);
    assert.deepEqual(await named('Dismiss'), [false, false, true]);
    assert.deepEqual(await named('Approve'), [true, true, true]);
    await plans.nth(2).getByRole('button', { name: 'Dismiss' }).click();
    await eventually(() => panel.sent('answerAsk').length === 1);
    const [sent] = panel.sent('answerAsk');
    assert.deepEqual([sent?.cardId, sent?.reply], ['p2', { action: 'decline' }]);
  });
});

test('decided plans stay in the conversation, fold, say what was decided, and can be saved', async () => {
  await withPanel(decidedPlans(), { height: 1200 }, async (panel) => {
    const { page } = panel;
    const row = page.getByRole('group', { name: 'Propose a plan, done', exact: true });
    await row.getByText('approved with your edits').waitFor();
    assert.equal(await row.getByRole('heading').count(), 0);
    await row.getByRole('button', { name: 'Propose a plan, done' }).click();
    await row.getByRole('heading', { name: 'Dates in the report' }).waitFor();
    await row.getByRole('button', { name: 'Save in workspace…' }).click();
    await eventually(() => panel.sent('savePlan').length === 1);
    assert.equal(panel.sent('savePlan')[0]?.toolUseId, 't9');
    const refused = page.getByRole('group', { name: 'Propose a plan, denied', exact: true });
    await refused.getByText('not approved').waitFor();
    await refused.getByRole('button', { name: 'Propose a plan, denied' }).click();
    await refused.getByText('Shorter, please').waitFor();
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`at 300 px a plan is whole, its targets have 24 px, and axe finds nothing in the theme ${theme}`, async () => {
    const long = planCard({ id: 'p2', plan: LONG_PLAN, interrupted: true });
    await withPanel(
      planState(fullPlan(), long),
      { theme, width: 300, height: 2400 },
      async (panel) => {
        await planOf(panel).nth(1).waitFor();
        assert.equal(await overflows(panel), false);
        const small = await panel.page
          .locator('.card :is(button, input, textarea)')
          .evaluateAll((found) =>
            found
              .map((e) => ({ name: e.ariaLabel ?? e.outerHTML, box: e.getBoundingClientRect() }))
              .filter(({ box }) => box.width < 24 || box.height < 24)
              .map(({ name, box }) => `${name}: ${box.width}×${box.height}`),
          );
        assert.deepEqual(small, []);
        assert.deepEqual(await axeFindings(panel.page), []);
      },
    );
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { eventually } from '../harness/panelSandbox/eventually';
import { longTalk } from '../harness/panelSandbox/longTalk';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { heard, listen } from '../harness/panelSandbox/spoken';
import { emptyState, text } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

const log = (panel: SandboxPanel) => panel.page.getByRole('log');
const below = (panel: SandboxPanel) =>
  log(panel).evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
const jump = ({ page }: SandboxPanel) =>
  page.getByRole('button', { name: 'Jump to latest', exact: true });

/** As the product names items: what the person said by its uuid, all else counted in each conversation. */
function talkOf(uuid: string, words: string): ViewState {
  return {
    ...emptyState(),
    items: [
      { kind: 'user', id: uuid, wireId: uuid, text: 'Why?' },
      {
        ...{ kind: 'assistant', id: 'a1' },
        blocks: [
          { kind: 'thinking', id: 'b2', text: `A thought of ${words}`, streaming: false },
          text('b3', words),
        ],
      },
    ],
  };
}

test('another conversation begins at its end, however far one had scrolled back in the one before', async () => {
  await withPanel(longTalk(100), {}, async (panel) => {
    await eventually(async () => (await below(panel)) <= 1);
    await log(panel).evaluate((one) => {
      one.scrollTop = one.scrollHeight / 3;
    });
    await jump(panel).waitFor();
    const other = longTalk(80);
    const items = other.items.map((item) =>
      item.kind === 'user' ? { ...item, id: `other-${item.id}` } : item,
    );
    await panel.snapshot({ ...other, items });
    await panel.page.locator('[data-row="a79"]').waitFor();
    await eventually(async () => (await below(panel)) <= 1 && (await jump(panel).count()) === 0);
  });
});

test('a snapshot of the same conversation leaves the reader where they are', async () => {
  const state = longTalk(100);
  await withPanel(state, {}, async (panel) => {
    await eventually(async () => (await below(panel)) <= 1);
    await log(panel).evaluate((one) => {
      one.scrollTop = one.scrollHeight / 3;
    });
    await jump(panel).waitFor();
    const before = await log(panel).evaluate((one) => one.scrollTop);
    await panel.snapshot(state);
    assert.equal(await log(panel).evaluate((one) => one.scrollTop), before);
    assert.equal(await jump(panel).count(), 1);
  });
});

test('in another conversation nothing is open, and nothing of what was said there is said', async () => {
  await withPanel(talkOf('one', 'One.'), {}, async (panel) => {
    await listen(panel);
    await panel.page.getByRole('button', { name: 'Thinking', exact: true }).click();
    await panel.page.getByText('A thought of One.').waitFor();
    await panel.snapshot(talkOf('two', 'Two.\n\nThree.\n\nFour.'));
    await log(panel).getByText('Four.', { exact: true }).waitFor();
    assert.equal(await panel.page.getByText('A thought of').count(), 0);
    await panel.patch({
      op: 'item',
      item: { kind: 'assistant', id: 'a4', blocks: [text('b5', 'New.')] },
    });
    await eventually(async () => (await heard(panel)).some(({ text: said }) => said === 'New.'));
    assert.deepEqual(
      (await heard(panel)).filter(({ by }) => by === 'polite').map(({ text: said }) => said),
      ['New.'],
    );
  });
});

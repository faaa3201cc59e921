import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SideQuestion } from '../../src/chat/sideProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { streamingState } from '../harness/panelSandbox/states';
import { sideAnswer, sideState } from '../harness/panelSandbox/talkStates';

const { withPanel, message, overflows } = panelFixture();

const region = ({ page }: SandboxPanel) =>
  page.getByRole('region', { name: 'Side question', exact: true });
const show = (panel: SandboxPanel, side: readonly SideQuestion[] | undefined) =>
  panel.patch(side ? { op: 'set', fields: { side } } : { op: 'set', fields: {}, unset: ['side'] });

test('an answer beside the conversation stands in a region of its own while the turn goes on', async () => {
  await withPanel(streamingState(), { width: 300 }, async (panel) => {
    const { page } = panel;
    await message(panel).fill('/btw what does ?? do?');
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const [sent] = panel.sent('submit');
    assert.equal(sent?.text, '/btw what does ?? do?');
    await panel.send({ type: 'submitted', promptId: sent.promptId });
    const asking: SideQuestion = { id: 'q1', question: 'what does ?? do?', state: 'asking' };
    await show(panel, [asking]);
    await region(panel).getByText('Asking…').waitFor();
    await show(panel, [{ ...asking, state: 'answered', answer: 'It *falls back*.' }]);
    await region(panel).locator('em', { hasText: 'falls back' }).waitFor();
    const live = page.locator('[data-live="polite"]').getByText('It *falls back*.');
    await live.first().waitFor({ state: 'attached' });
    const log = await page.getByRole('log').innerText();
    assert.ok(!log.includes('falls back'), 'it is no part of the conversation');
    assert.equal(await page.getByRole('status').first().innerText(), 'Working');
    assert.equal(await overflows(panel), false);
    assert.deepEqual(await axeFindings(page), []);
  });
});

test('Escape in it closes it and stops no turn, and the caret is in the message again', async () => {
  await withPanel(sideState(), {}, async (panel) => {
    await region(panel).getByRole('button', { name: 'Copy answer', exact: true }).click();
    await eventually(() => panel.sent('copy').length === 1);
    assert.equal(panel.sent('copy')[0]?.text, sideAnswer.answer);
    await panel.page.keyboard.press('Escape');
    await eventually(() => panel.sent('dismissSide').length === 1);
    assert.equal(panel.sent('stop').length, 0);
    await show(panel, undefined);
    await region(panel).waitFor({ state: 'detached' });
    const focused = () =>
      panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await eventually(async () => (await focused()) === 'Message');
  });
});

test('one that failed says why, and another one can follow', async () => {
  const failed: SideQuestion = {
    ...{ id: 'q2', question: 'and then?', state: 'failed' },
    answer: 'No answer came. Ask again, or ask in the conversation.',
  };
  await withPanel(sideState(), {}, async (panel) => {
    await show(panel, [sideAnswer, failed]);
    await region(panel).getByText('No answer came.').waitFor();
    await region(panel).getByText(sideAnswer.question).waitFor();
    await region(panel).getByRole('button', { name: 'Close side question', exact: true }).click();
    await eventually(() => panel.sent('dismissSide').length === 1);
  });
});

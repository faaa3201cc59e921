import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptItem } from '../../src/chat/viewStateProtocol';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState, text, tool } from '../harness/panelSandbox/states';
import { talkState } from '../harness/panelSandbox/talkStates';

const { withPanel, message, overflows } = panelFixture();

const TURNS = 200;
/** Of which sixty are drawn at first; every turn has its number once with each speaker. */
const items: readonly TranscriptItem[] = Array.from({ length: TURNS }, (_, n) => [
  { kind: 'user' as const, id: `u${n}`, text: `question ${n}.` },
  {
    kind: 'assistant' as const,
    id: `a${n}`,
    blocks: [
      {
        ...{ kind: 'text' as const, id: `t${n}`, streaming: false },
        text: `An **ans**wer to ${n}.\n\n\`\`\`ts\nconst n${n} = 1;\n\`\`\`\n`,
      },
    ],
  },
]).flat();
const longState = () => ({ ...emptyState(), items: [...items] });

const bar = (panel: SandboxPanel) =>
  panel.page.getByRole('search', { name: 'Find in conversation', exact: true });
const box = (panel: SandboxPanel) => bar(panel).getByRole('textbox', { name: 'Find', exact: true });
const press = (panel: SandboxPanel, name: string) =>
  bar(panel).getByRole('button', { name, exact: true }).click();

async function open(panel: SandboxPanel): Promise<void> {
  await message(panel).focus();
  await panel.page.keyboard.press('Control+f');
  await bar(panel).waitFor();
  assert.ok(await box(panel).evaluate((one) => one === document.activeElement));
}

const count = (panel: SandboxPanel, text: string) =>
  bar(panel).getByRole('status').getByText(text, { exact: true }).waitFor();

/** The words that are marked as the match that is shown, where they can be seen. */
async function shown(panel: SandboxPanel): Promise<string | undefined> {
  return panel.page.evaluate(() => {
    const [range] = CSS.highlights.get('find-current') ?? [];
    if (!(range instanceof Range)) return undefined;
    const place = range.getBoundingClientRect();
    const scroller = document.querySelector('.scroller')?.getBoundingClientRect();
    const isSeen = scroller && place.top >= scroller.top && place.bottom <= scroller.bottom;
    return isSeen ? range.toString() : undefined;
  });
}

test('what is not drawn is found, scrolled to and marked, and counted', async () => {
  await withPanel(longState(), {}, async (panel) => {
    await open(panel);
    await panel.page.keyboard.type('Question 7.');
    await count(panel, '1 of 1');
    await eventually(async () => (await shown(panel)) === 'question 7.');
    await box(panel).fill('answer');
    await count(panel, `${TURNS} of ${TURNS}`);
    await eventually(async () => (await shown(panel)) === 'answer');
    await press(panel, 'Next match');
    await count(panel, `1 of ${TURNS}`);
    await eventually(async () => (await shown(panel)) === 'answer');
    await press(panel, 'Previous match');
    await count(panel, `${TURNS} of ${TURNS}`);
    await box(panel).press('Enter');
    await count(panel, `${TURNS - 1} of ${TURNS}`);
    await box(panel).press('Shift+Enter');
    await count(panel, `${TURNS} of ${TURNS}`);
    await box(panel).fill('const n3 =');
    await count(panel, '1 of 1');
    await eventually(async () => (await shown(panel)) === 'const n3 =');
    await box(panel).fill('zebra');
    await count(panel, 'No matches');
    await eventually(async () => (await shown(panel)) === undefined);
  });
});

test('Escape closes it, stops no turn, and gives the message box the focus; the marks go', async () => {
  await withPanel(streamingState('some words'), {}, async (panel) => {
    await open(panel);
    await panel.page.keyboard.type('words');
    await eventually(async () => (await shown(panel)) === 'words');
    await panel.page.keyboard.press('Escape');
    await bar(panel).waitFor({ state: 'detached' });
    assert.deepEqual(panel.sent('stop'), []);
    assert.equal(await shown(panel), undefined);
    await eventually(() => message(panel).evaluate((one) => one === document.activeElement));
    await panel.send({ type: 'openFind' });
    await count(panel, '1 of 1');
    await press(panel, 'Close find');
    await bar(panel).waitFor({ state: 'detached' });
  });
});

const rows = (count: number, word: string) =>
  Array.from({ length: count }, (_, n) => `${word} ${n}.`).join('\n');
const FENCE = '```';

/** Whether no box that the match stands in hides it. */
async function isInSight(panel: SandboxPanel): Promise<boolean> {
  return panel.page.evaluate(() => {
    const [range] = CSS.highlights.get('find-current') ?? [];
    if (!(range instanceof Range)) return false;
    const place = range.getBoundingClientRect();
    for (let box = range.startContainer.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue;
      const sight = box.getBoundingClientRect();
      if (place.top < sight.top - 1 || place.bottom > sight.bottom + 1) return false;
      if (place.left < sight.left - 1 || place.right > sight.right + 1) return false;
    }
    return true;
  });
}

for (const [where, said, answer, words] of [
  ['a long code', 'q', `${FENCE}\n${rows(300, 'row')}\n${FENCE}`, 'row 3.'],
  ['a wide code', 'q', `${FENCE}\n${'x'.repeat(400)} target\n${FENCE}`, 'target'],
  ['a wide table', 'q', `| a | b |\n|--|--|\n| ${'word'.repeat(200)} | target |`, 'target'],
  ['a long prompt', rows(200, 'row'), 'x', 'row 190.'],
] as const) {
  test(`a match is brought into sight also inside ${where}`, async () => {
    const state = {
      ...emptyState(),
      items: [
        { kind: 'user' as const, id: 'u1', text: said },
        { kind: 'assistant' as const, id: 'a1', blocks: [text('t1', answer)] },
      ],
    };
    await withPanel(state, {}, async (panel) => {
      await open(panel);
      await box(panel).fill(words);
      await count(panel, '1 of 1');
      await eventually(() => isInSight(panel));
    });
  });
}

test('of code that is drawn in part only that part is searched, and what stands behind it is found', async () => {
  const answer = `${FENCE}\n${rows(3_000, 'needle')}\n${FENCE}\n\nThe last needle stands here.`;
  const item = { kind: 'assistant' as const, id: 'a1', blocks: [text('t1', answer)] };
  await withPanel({ ...emptyState(), items: [item] }, {}, async (panel) => {
    await panel.page.getByText('400 of 3,000 lines').waitFor();
    await open(panel);
    await box(panel).fill('needle');
    await count(panel, '401 of 401');
    await eventually(async () => (await shown(panel)) === 'needle');
    await eventually(async () => (await parentOf(panel)) === 'The last needle stands here.');
    await box(panel).press('Enter');
    await count(panel, '400 of 401');
    await eventually(() => isInSight(panel));
    // What we say of the code was said by nobody.
    await box(panel).fill('Open all of it');
    await count(panel, 'No matches');
  });
});

/** All of the text that the match stands in. */
async function parentOf(panel: SandboxPanel): Promise<string | null | undefined> {
  return panel.page.evaluate(() => {
    const [range] = CSS.highlights.get('find-current') ?? [];
    return range instanceof Range ? range.startContainer.parentElement?.textContent : undefined;
  });
}

test('what is marked is what is counted: the words of an agent inside are folded away, and neither', async () => {
  const blocks = [
    tool('t1', { name: 'Agent', title: 'Agent', summary: 'look' }),
    { ...text('x9', 'a needle of the agent'), parentToolUseId: 't1' },
    text('x1', 'A needle here.'),
  ];
  const item = { kind: 'assistant' as const, id: 'a1', blocks };
  await withPanel({ ...emptyState(), items: [item] }, {}, async (panel) => {
    await panel.page.getByRole('button', { name: /^Agent, done/ }).click();
    await panel.page.getByText('a needle of the agent').waitFor();
    await open(panel);
    await box(panel).fill('needle');
    await count(panel, '1 of 1');
    await eventually(async () => (await parentOf(panel)) === 'A needle here.');
    const marks = await panel.page.evaluate(() => CSS.highlights.get('find-all')?.size);
    assert.equal(marks, 0);
  });
});

test('a message that is being edited is not counted, since nothing can be marked in its box', async () => {
  await withPanel(talkState(), {}, async (panel) => {
    await open(panel);
    await box(panel).fill('total off');
    await count(panel, '1 of 1');
    const edit = panel.page.getByRole('button', { name: 'Edit', exact: true }).first();
    await edit.press('Enter');
    await count(panel, 'No matches');
    await panel.page.keyboard.press('Escape');
    await count(panel, '1 of 1');
    await eventually(async () => (await shown(panel)) === 'total off');
  });
});

test('what an answer says further is counted and marked once it is whole, and the match stays', async () => {
  await withPanel(streamingState('One needle.'), {}, async (panel) => {
    await open(panel);
    await box(panel).fill('needle');
    await count(panel, '1 of 1');
    const where = { itemId: 'a1', blockId: 'x1' };
    const more = '\n\nAnd **a** needle, a needle.';
    await panel.patch({ op: 'append', ...where, text: more }, { op: 'finish', ...where });
    await count(panel, '1 of 3');
    await eventually(async () => {
      const marks = await panel.page.evaluate(() => CSS.highlights.get('find-all')?.size);
      return marks === 2 && (await parentOf(panel)) === 'One needle.';
    });
  });
});

test('Escape in the message closes it too, and the next one stops the turn', async () => {
  await withPanel(streamingState('some words'), {}, async (panel) => {
    await open(panel);
    await message(panel).focus();
    await panel.page.keyboard.press('Escape');
    await bar(panel).waitFor({ state: 'detached' });
    assert.deepEqual(panel.sent('stop'), []);
    await panel.page.keyboard.press('Escape');
    await eventually(() => panel.sent('stop').length === 1);
  });
});

for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
  test(`in ${theme} at 300 px it fits, with nothing for axe`, async () => {
    await withPanel(streamingState('some words'), { theme, width: 300 }, async (panel) => {
      await open(panel);
      await panel.page.keyboard.type('words');
      await count(panel, '1 of 1');
      assert.equal(await overflows(panel), false);
      assert.deepEqual(await axeFindings(panel.page), []);
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { ACCESS_STATES, accessState, unfoldAll } from '../harness/panelSandbox/accessStates';
import { oneQuestion, smallForm } from '../harness/panelSandbox/askStates';
import { axeReport } from '../harness/panelSandbox/axe';
import { commandCard } from '../harness/panelSandbox/cardStates';
import { expectedStops, readStop, smallTargets, toStart } from '../harness/panelSandbox/focusWalk';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { planCard } from '../harness/panelSandbox/planStates';
import type { PanelOptions, SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';
import { sideAnswer } from '../harness/panelSandbox/talkStates';

const { withPanel, message, overflows } = panelFixture();

async function inState(
  name: string,
  options: PanelOptions,
  use: (panel: SandboxPanel) => Promise<void>,
): Promise<void> {
  const { state, prepare } = accessState(name);
  await withPanel(state(), options, async (panel) => {
    await panel.page.getByRole('main').waitFor();
    await prepare?.(panel);
    await use(panel);
  });
}

const forced: PanelOptions = { context: { forcedColors: 'active' }, height: 2600, width: 300 };

for (const name of ['work', 'streaming', 'permission-edit', 'form', 'question', 'plan', 'queue']) {
  test(`in forced colours every stop of Tab has its ring, and axe finds nothing: ${name}`, async () => {
    await inState(name, forced, async (panel) => {
      const { page } = panel;
      await unfoldAll(panel);
      assert.deepEqual((await axeReport(page, 'colour')).findings, []);
      await toStart(page);
      const { length } = await expectedStops(page);
      for (let at = 0; at < length; at += 1) {
        await page.keyboard.press('Tab');
        const stop = await readStop(page, 'as it is');
        assert.deepEqual([stop.at, stop.faults], [at, []], stop.words);
      }
    });
  });
}

/** Pairs of which only the looks tell which one is meant: they must look different. */
const TOLD_APART = [
  ['mode-picker', '.option-active', '.option:not(.option-active):not(.option-disabled)'],
  ['mentions', '.option-active', '.option:not(.option-active)'],
  ['conversations', '.option-active', '.option:not(.option-active)'],
  ['form', '.choice-mark[type="checkbox"]:checked', '.choice-mark[type="checkbox"]:not(:checked)'],
  ['question', '.choice-mark:focus', '.choice-mark:not(:focus)'],
  ['work', '.meter-bar', '.meter'],
  ['find', '.find-bar .input:focus', '.message'],
] as const;

for (const [name, one, other] of TOLD_APART) {
  test(`in forced colours ${one} is told from ${other} in ${name}`, async () => {
    await inState(name, forced, async ({ page }) => {
      if (name === 'question') await page.getByRole('radio').first().focus();
      const looks = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) =>
            [undefined, '::before', '::after'].map((part) => {
              const style = getComputedStyle(element, part);
              return [
                ...[style.backgroundColor, style.color, style.borderTopColor, style.content],
                ...[style.outlineStyle, style.outlineColor, style.borderTopWidth],
              ].join(' ');
            }),
          );
      assert.notDeepEqual(await looks(one), await looks(other));
    });
  });
}

// A side bar of 600 px in a window of 800 px height, at 200 %.
const zoomed: PanelOptions = {
  ...{ width: 300, height: 400 },
  context: { deviceScaleFactor: 2 },
};

test('at 200 % zoom nothing scrolls sideways, and message and buttons stay in sight in every state', async () => {
  const faults: string[] = [];
  for (const { name } of ACCESS_STATES) {
    await inState(name, zoomed, async (panel) => {
      if (await overflows(panel)) faults.push(`${name} scrolls sideways`);
      const [box, log] = await Promise.all([
        message(panel).boundingBox(),
        panel.page.getByRole('log').boundingBox(),
      ]);
      if (!box || box.y + box.height > 400) faults.push(`${name}: the message is out of sight`);
      if (!log || log.height < 40) faults.push(`${name}: the log has ${log?.height ?? 0} px`);
    });
  }
  assert.deepEqual(faults, []);
});

test('with text of twice the size nothing scrolls sideways, and targets keep their size', async () => {
  const faults: string[] = [];
  for (const { name, state, prepare } of ACCESS_STATES) {
    const options = { width: 400, height: 900 };
    await withPanel({ ...state(), fontSize: 26 }, options, async (panel) => {
      await panel.page.getByRole('main').waitFor();
      // The buttons of some are named by what would not fit: what they do is seen elsewhere.
      await prepare?.(panel);
      if (await overflows(panel)) faults.push(`${name} scrolls sideways`);
      for (const small of await smallTargets(panel.page)) faults.push(`${name}: ${small}`);
    });
  }
  assert.deepEqual(faults, []);
});

test('under reduced motion nothing moves in any state; without it something does', async () => {
  const moving: string[] = [];
  const count = ({ page }: SandboxPanel) =>
    page.evaluate(
      () =>
        document.getAnimations().length +
        [...document.querySelectorAll('*')].filter(
          (one) => getComputedStyle(one).scrollBehavior === 'smooth',
        ).length,
    );
  for (const { name } of ACCESS_STATES) {
    await inState(name, { context: { reducedMotion: 'reduce' } }, async (panel) => {
      if ((await count(panel)) > 0) moving.push(name);
    });
  }
  assert.deepEqual(moving, []);
  await inState('work', {}, async (panel) => {
    assert.ok((await count(panel)) > 0);
  });
});

const RTL = 'مرحبا بالعالم';

/** Words from the right wherever words can be. */
function rtlState(): ViewState {
  const question = oneQuestion();
  const [first] = question.questions;
  return {
    ...emptyState(),
    title: RTL,
    notice: RTL,
    status: { kind: 'working' },
    items: [
      { kind: 'user', id: 'u1', text: RTL },
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [
          { kind: 'thinking', id: 'k1', text: RTL, streaming: false },
          {
            ...{ kind: 'text', id: 'x1', streaming: false },
            text: `# ${RTL}\n\n${RTL}\n\n- ${RTL}\n\n> ${RTL}\n\n| ${RTL} |\n|---|\n| ${RTL} |\n`,
          },
        ],
      },
      { kind: 'notice', id: 'n1', tone: 'info', text: RTL },
      { kind: 'error', id: 'e1', message: RTL, next: RTL, kept: RTL, actions: [] },
    ],
    permissions: [{ ...commandCard(), what: RTL, said: RTL, reason: RTL }],
    asks: [
      { ...question, questions: first ? [{ ...first, question: RTL }] : [] },
      { ...smallForm(), title: RTL, message: RTL },
      planCard({ plan: `# ${RTL}\n\n${RTL}\n` }),
    ],
    queue: [{ id: 'q1', text: RTL }],
    tasks: [{ id: 'b1', kind: 'command', title: RTL }],
    side: [{ ...sideAnswer, question: RTL, answer: RTL }],
  };
}

test('each block of words has the direction of its words, in every place', async () => {
  await withPanel(rtlState(), { draft: RTL, height: 2400 }, async (panel) => {
    await message(panel).waitFor();
    await unfoldAll(panel);
    const found = await panel.page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const places: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const words = node.textContent?.trim() ?? '';
        const element = node.parentElement;
        // Words that begin from the right; those for screen readers only have no direction to see.
        if (!element || !/^[\u0600-\u06ff]/u.test(words) || element.closest('.sr-only')) continue;
        places.push(
          `${element.className || element.tagName} ${getComputedStyle(element).direction}`,
        );
      }
      return places;
    });
    assert.ok(found.length > 25, `${found.length}`);
    assert.deepEqual(
      found.filter((place) => !place.endsWith(' rtl')),
      [],
    );
    const box = await message(panel).evaluate((one) => getComputedStyle(one).direction);
    assert.equal(box, 'rtl');
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { accessState, statesOfToday, unfoldAll } from '../harness/panelSandbox/accessStates';
import { oneQuestion, smallForm } from '../harness/panelSandbox/askStates';
import { commandCard } from '../harness/panelSandbox/cardStates';
import { expectedStops, readStop, smallTargets, toStart } from '../harness/panelSandbox/focusWalk';
import { changedFiles } from '../harness/panelSandbox/galleryStates';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { planCard } from '../harness/panelSandbox/planStates';
import type { PanelOptions, SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState, text } from '../harness/panelSandbox/states';
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
  test(`in forced colours every stop of Tab has its ring: ${name}`, async () => {
    await inState(name, forced, async (panel) => {
      const { page } = panel;
      await unfoldAll(panel);
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

/** Pairs of which only the looks tell which one is meant, and the pixel at which they must differ. */
const TOLD_APART = [
  ['mode-picker', '.option-active', '.option:not(.option-active):not(.option-disabled)', [3, 3]],
  ['mentions', '.option-active', '.option:not(.option-active)', [3, 3]],
  ['conversations', '.option-active', '.option:not(.option-active)', [3, 3]],
  ['more-actions', '.menu-item:focus', '.menu-item:not(:focus)', [3, 3]],
  ['form', '[type="checkbox"]:checked', '[type="checkbox"]:not(:checked)', [7, 7]],
  ['question', '[type="radio"]:checked', '[type="radio"]:not(:checked)', [6, 12]],
  ['work', '.meter-bar', '.meter', [-4, 2]],
] as const;

for (const [name, one, other, at] of TOLD_APART) {
  test(`in forced colours ${one} is told from ${other} in ${name}`, async () => {
    await inState(name, forced, async ({ page }) => {
      if (name === 'question') await page.getByRole('radio').first().press('Space');
      const colours = [];
      for (const selector of [one, other])
        colours.push(await pixelOf(page.locator(selector).first(), at));
      assert.notEqual(colours[0], colours[1]);
    });
  });
}

/** The colour that is drawn there; a negative place counts from the right. */
async function pixelOf(locator: Locator, [x, y]: readonly [number, number]): Promise<string> {
  const png = (await locator.screenshot()).toString('base64');
  return locator.page().evaluate(
    async ({ png, x, y }) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const pen = canvas.getContext('2d');
      pen?.drawImage(picture, 0, 0);
      const left = x < 0 ? picture.width + x : x;
      return String(pen?.getImageData(left, Math.min(y, picture.height - 1), 1, 1).data);
    },
    { png, x, y },
  );
}

// A side bar of 600 px in a window of 800 px height, at 200 %.
const ZOOMED = { width: 300, height: 400 };

test('in each state: at 200 % zoom, and with text of twice the size, all fits; nothing moves under reduced motion', async () => {
  const faults: string[] = [];
  for (const { name } of statesOfToday()) {
    const context = { deviceScaleFactor: 2, reducedMotion: 'reduce' } as const;
    await inState(name, { ...ZOOMED, context }, async (panel) => {
      const { page } = panel;
      const [box, log] = await Promise.all([
        message(panel).boundingBox(),
        page.getByRole('log').boundingBox(),
      ]);
      const bottom = box ? box.y + box.height : Infinity;
      if (bottom > ZOOMED.height) faults.push(`${name}: the message is out of sight`);
      if (!log || log.height < 40) faults.push(`${name}: the log has ${log?.height ?? 0} px`);
      if (await overflows(panel)) faults.push(`${name} scrolls sideways at 200 % zoom`);
      if ((await moving(panel)) > 0) faults.push(`${name} moves`);
      await page.setViewportSize({ width: 400, height: 900 });
      await panel.patch({ op: 'set', fields: { fontSize: 26 } });
      if (await overflows(panel)) faults.push(`${name} scrolls sideways with large text`);
      for (const small of await smallTargets(page)) faults.push(`${name}: ${small}`);
    });
  }
  assert.deepEqual(faults, []);
  // The look at what moves finds something where it may.
  await inState('work', {}, async (panel) => assert.ok((await moving(panel)) > 0));
});

function moving({ page }: SandboxPanel): Promise<number> {
  return page.evaluate(() => {
    const smooth = [...document.querySelectorAll('*')].filter(
      (one) => getComputedStyle(one).scrollBehavior === 'smooth',
    );
    return document.getAnimations().length + smooth.length;
  });
}

test('with all that can stand over the message, in any height, message, buttons and conversation are in sight', async () => {
  const state: ViewState = {
    ...streamingState('Some words'),
    queue: Array.from({ length: 5 }, (_, n) => ({ id: `q${n}`, text: `wait ${n}` })),
    tasks: [{ id: 'b1', kind: 'command', title: 'Serve' }],
    changes: { files: changedFiles },
    side: [{ ...sideAnswer, answer: 'Line.\n\n'.repeat(40) }],
    selection: { id: 's1', label: 'a.ts:1', place: 'src/a.ts:1', isOn: true, isLong: false },
  };
  const draft = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n');
  for (const [width, height] of [
    [300, 320],
    [300, 500],
    [400, 900],
    [1000, 340],
  ] as const) {
    await withPanel(state, { width, height, draft }, async (panel) => {
      const { page } = panel;
      await page.getByRole('button', { name: /files changed/ }).click();
      await page.getByRole('list', { name: 'Changed files', exact: true }).waitFor();
      for (const one of [
        page.getByRole('button', { name: 'Stop', exact: true }),
        page.getByRole('button', { name: 'Send', exact: true }),
        page.getByRole('button', { name: 'Permission mode: Ask', exact: true }),
        page.locator('.status-line'),
      ]) {
        const box = await one.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${width} × ${height}`);
      }
      const log = await page.getByRole('log').boundingBox();
      assert.ok(log && log.height >= 40, `the log has ${log?.height ?? 0} px of ${height}`);
      // What has no room is scrolled to.
      const last = page.getByRole('list', { name: 'Queued messages' }).getByText('wait 4');
      await last.scrollIntoViewIfNeeded();
      const box = await last.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height);
      assert.equal(await overflows(panel), false);
    });
  }
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
    assert.ok(found.length >= 20, `${found.length}`);
    assert.deepEqual(
      found.filter((place) => !place.endsWith(' rtl')),
      [],
    );
    const box = await message(panel).evaluate((one) => getComputedStyle(one).direction);
    assert.equal(box, 'rtl');
  });
});

test('at 300 px the numbers of a list are whole, however long', async () => {
  const items = ['998. a\n999. b\n1000. c', '12. d'].map((words, at) => ({
    ...{ kind: 'assistant' as const, id: `a${at}` },
    blocks: [text(`t${at}`, words)],
  }));
  await withPanel({ ...emptyState(), items }, { width: 300 }, async ({ page }) => {
    await page.getByText('d', { exact: true }).waitFor();
    const places = await page
      .locator('.md-block ol')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).listStylePosition));
    assert.deepEqual(places, ['inside', 'outside']);
  });
});

test('at 300 px lists and quotations fit however deep they are, with room for their words', async () => {
  const levels = Array.from({ length: 16 }, (_, n) => n);
  const deep = [
    levels.map((n) => `${'  '.repeat(n)}- level ${n} with words`).join('\n'),
    levels.map((n) => `${'    '.repeat(n)}10. level ${n} with words`).join('\n'),
    `${'> '.repeat(16)}level 15 with words`,
  ];
  const blocks = deep.map((words, at) => text(`x${at}`, words));
  const items = [{ kind: 'assistant' as const, id: 'a1', blocks }];
  await withPanel({ ...emptyState(), items }, { width: 300 }, async (panel) => {
    await panel.page.getByText('level 15').nth(2).waitFor();
    assert.equal(await overflows(panel), false);
    const widths = await panel.page
      .locator('.md-block :is(li, blockquote > p)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(Math.min(...widths) >= 80, widths.map(Math.round).join());
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { longTalk } from '../harness/panelSandbox/longTalk';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { text, tool } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();

const log = (panel: SandboxPanel) => panel.page.getByRole('log');
const row = (panel: SandboxPanel, id: string) => panel.page.locator(`[data-row="${id}"]`);
/** Two frames: what a change leads to is drawn by then. */
const frames = (panel: SandboxPanel) =>
  panel.page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

async function opened(panel: SandboxPanel, turns: number): Promise<void> {
  await row(panel, `a${turns - 1}`).waitFor();
  await frames(panel);
}

/** Scrolls to a share of the whole, as dragging the bar does. */
async function scrollTo(panel: SandboxPanel, share: number): Promise<void> {
  await log(panel).evaluate((one, part) => {
    one.scrollTop = (one.scrollHeight - one.clientHeight) * part;
  }, share);
  await frames(panel);
  await frames(panel);
}

/** The item at the upper edge, the one before it, and where the first stands. */
async function topRow(panel: SandboxPanel) {
  return panel.page.evaluate(() => {
    const top = document.querySelector('.scroller')?.getBoundingClientRect().top ?? 0;
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
    const at = rows.findIndex((one) => one.getBoundingClientRect().bottom > top + 1);
    return {
      id: rows[at]?.dataset.row ?? '',
      before: rows[at - 1]?.dataset.row ?? '',
      top: rows[at]?.getBoundingClientRect().top ?? 0,
    };
  });
}

const topOf = (panel: SandboxPanel, id: string) =>
  row(panel, id).evaluate((one) => one.getBoundingClientRect().top);

async function copied(panel: SandboxPanel): Promise<string> {
  // As the key does it; the sandbox's page has no clipboard of its own to read from.
  return panel.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
    const node = getSelection()?.anchorNode;
    const target = node instanceof Element ? node : node?.parentElement;
    (target?.closest('main') ? target : document.querySelector('.scroller'))?.dispatchEvent(event);
    return clipboardData.getData('text/plain');
  });
}

test('10,000 turns open at their end, with few elements and the place of each in the whole', async () => {
  await withPanel(longTalk(10_000), {}, async (panel) => {
    await opened(panel, 10_000);
    const elements = await panel.page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements <= 1500, `${elements} elements`);
    const gap = await log(panel).evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    assert.ok(gap <= 1, `${gap} px from the end`);
    const last = row(panel, 'a9999').locator('article');
    assert.equal(await last.getAttribute('aria-posinset'), '20000');
    assert.equal(await last.getAttribute('aria-setsize'), '20000');
    await scrollTo(panel, 0);
    await row(panel, 'u0').waitFor();
    assert.equal(await row(panel, 'u0').locator('article').getAttribute('aria-posinset'), '1');
    assert.equal(await row(panel, 'a5000').count(), 0);
  });
});

test('scrolled from end to start every message is seen, and no place stays empty', async () => {
  await withPanel(longTalk(600), {}, async (panel) => {
    await opened(panel, 600);
    const { seen, longestBlank } = await panel.page.evaluate(async () => {
      const scroller = document.querySelector('.scroller');
      if (!scroller) throw new Error('no scroller');
      const { top, bottom } = scroller.getBoundingClientRect();
      const ids = new Set<string>();
      let blankSince: number | undefined;
      let longest = 0;
      const isSeen = (element: Element): boolean => {
        const box = element.getBoundingClientRect();
        return box.bottom > top && box.top < bottom && box.height > 0;
      };
      for (;;) {
        const now = await new Promise<number>((done) => requestAnimationFrame(done));
        for (const one of document.querySelectorAll<HTMLElement>('[data-row]')) {
          if (isSeen(one)) ids.add(one.dataset.row ?? '');
        }
        if ([...document.querySelectorAll('.gap')].some(isSeen)) {
          longest = Math.max(longest, now - (blankSince ??= now));
        } else blankSince = undefined;
        if (scroller.scrollTop === 0) return { seen: [...ids], longestBlank: longest };
        scroller.scrollTop -= 600;
      }
    });
    const all = longTalk(600).items.map(({ id }) => id);
    const isThere = new Set(seen);
    assert.deepEqual(
      all.filter((id) => !isThere.has(id)),
      [],
    );
    assert.ok(longestBlank <= 100, `${longestBlank} ms without anything`);
  });
});

test('what is read moves by as much as it is scrolled, whatever is measured above it', async () => {
  await withPanel(longTalk(300), { height: 600 }, async (panel) => {
    await opened(panel, 300);
    await scrollTo(panel, 0.6);
    const worst = await panel.page.evaluate(async () => {
      const scroller = document.querySelector('.scroller');
      if (!scroller) throw new Error('no scroller');
      const { top, bottom } = scroller.getBoundingClientRect();
      const inSight = () =>
        [...document.querySelectorAll('.user-text, p, li, pre, td')].find((one) => {
          const box = one.getBoundingClientRect();
          return box.bottom > top && box.top > top - 20 && box.top < bottom - 80;
        });
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      let most = 0;
      for (let step = 0; step < 300; step += 1) {
        const read = inSight();
        if (!read) throw new Error('nothing is in sight');
        const before = read.getBoundingClientRect().top;
        scroller.scrollTop -= 60;
        await frame();
        await frame();
        most = Math.max(most, Math.abs(read.getBoundingClientRect().top - before - 60));
      }
      return most;
    });
    assert.ok(worst <= 2, `${worst} px beside its place`);
  });
});

test('what is read stays where it is while what stands above it grows, shrinks and goes', async () => {
  await withPanel(longTalk(300), { height: 600 }, async (panel) => {
    await opened(panel, 300);
    await scrollTo(panel, 0.5);
    const { id, top } = await topRow(panel);
    const n = Number(id.slice(1));
    const stays = async (what: string): Promise<void> => {
      await frames(panel);
      const now = await topOf(panel, id);
      assert.ok(Math.abs(now - top) <= 2, `${what}: ${now - top} px`);
    };
    const long = Array.from({ length: 30 }, (_, line) => `Line ${line}`).join('\n\n');
    await panel.patch({ op: 'block', itemId: `a${n - 1}`, block: text('more', long) });
    await stays('an answer above is longer');
    await panel.patch({ op: 'removeBlock', itemId: `a${n - 1}`, blockId: 'more' });
    await stays('and shorter again');
    await panel.patch({ op: 'block', itemId: `a${n - 60}`, block: text('far', long) });
    await stays('an answer that is not drawn is longer');
    await panel.patch({ op: 'removeItem', id: `a${n - 1}` });
    await stays('one above is gone');
    await panel.patch({ op: 'removeItem', id: `u${n - 60}` });
    await stays('one that is not drawn is gone');
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'new', text: 'One more.' } });
    await stays('one comes at the end');
  });
});

test('a picture that comes late, and a row that opens, in the same answer move nothing below', async () => {
  const image = { mediaType: 'image/png', bytes: 70 };
  const shown = { text: '', size: 0, isError: false, images: [image] };
  const lines = Array.from({ length: 80 }, (_, line) => `Words ${line}.`).join('\n\n');
  const state = longTalk(40);
  const blocks = [
    tool('pic', { title: 'Picture', result: shown }),
    tool('out', { title: 'Run', result: { text: 'one\ntwo\nthree', size: 13, isError: false } }),
    text('words', lines),
  ];
  state.items.splice(20, 0, { kind: 'assistant', id: 'mixed', blocks });
  await withPanel(state, { height: 600 }, async (panel) => {
    await opened(panel, 40);
    await scrollTo(panel, 0.5);
    const button = (name: string) => panel.page.getByRole('button', { name, exact: true });
    await eventually(async () => {
      if ((await button('Picture, done').count()) > 0) return true;
      await log(panel).evaluate((one) => (one.scrollTop -= 300));
      return false;
    });
    await button('Picture, done').click();
    await eventually(() => panel.sent('loadImage').length > 0);
    const words = panel.page.getByText('Words 40.', { exact: true });
    await words.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    await frames(panel);
    const place = () => words.evaluate((one) => one.getBoundingClientRect().top);
    const before = await place();
    // A press whose point is out of sight, as a script of a screen reader does it.
    await button('Run, done').dispatchEvent('click');
    await panel.page.getByText('three').first().waitFor({ state: 'attached' });
    await frames(panel);
    assert.ok(Math.abs((await place()) - before) <= 2, 'an open row');
    const height = () => row(panel, 'mixed').evaluate((one) => one.getBoundingClientRect().height);
    const low = await height();
    const data = await panel.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 600;
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    });
    await panel.send({
      ...{ type: 'image', toolUseId: 'pic', index: 0 },
      image: { mediaType: 'image/png', data },
    });
    await row(panel, 'mixed').locator('img').waitFor({ state: 'attached' });
    await frames(panel);
    assert.ok(Math.abs((await place()) - before) <= 2, 'a late picture');
    await button('Image 1').dispatchEvent('click');
    await eventually(async () => (await height()) > low + 20);
    await frames(panel);
    assert.ok(Math.abs((await place()) - before) <= 2, 'a large picture');
  });
});

test('what has the focus stays drawn, unmoved, however far one scrolls', async () => {
  await withPanel(longTalk(300), {}, async (panel) => {
    await opened(panel, 300);
    await row(panel, 'a298').getByRole('button', { name: 'Quote', exact: true }).focus();
    await panel.page.evaluate(() => {
      const kept = document.querySelector('[data-row="a298"]');
      const moves: unknown[] = [];
      Object.assign(window, { moves });
      new MutationObserver((records) => {
        for (const { removedNodes } of records) {
          if ([...removedNodes].includes(kept as Node)) moves.push(1);
        }
      }).observe(document.querySelector('.column') as Node, { childList: true });
    });
    for (const share of [0.9, 0.5, 0.97, 0, 0.3, 1, 0.98]) {
      await scrollTo(panel, share);
      assert.equal(
        await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
        'Quote',
        `at ${share}`,
      );
    }
    assert.deepEqual(await panel.page.evaluate(() => Reflect.get(window, 'moves') as unknown), []);
    await scrollTo(panel, 0.2);
    await panel.page.keyboard.press('Enter');
    await eventually(async () => (await message(panel).inputValue()).includes('Answer 298'));
    await scrollTo(panel, 0.1);
    assert.equal(await row(panel, 'a298').count(), 0, 'the focus has gone, and so may the row');
  });
});

test('a selection by the mouse over many screens is copied whole', async () => {
  await withPanel(longTalk(200), { height: 700 }, async (panel) => {
    await opened(panel, 200);
    const start = panel.page.getByText('Question 199?', { exact: true });
    const box = await start.boundingBox();
    assert.ok(box);
    await panel.page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + 40, box.y - 30, { steps: 4 });
    for (let turn = 0; turn < 30; turn += 1) {
      await panel.page.mouse.wheel(0, -900);
      await panel.page.mouse.move(box.x + 40, 200 + (turn % 2), { steps: 2 });
    }
    await eventually(async () => (await row(panel, 'a190').count()) === 0);
    await panel.page.mouse.move(60, 220, { steps: 3 });
    await panel.page.mouse.up();
    await frames(panel);
    const got = await copied(panel);
    const first = await panel.page.evaluate(() => {
      const { focusNode } = getSelection() ?? {};
      return focusNode?.parentElement?.closest<HTMLElement>('[data-row]')?.dataset.row ?? '';
    });
    const from = Number(first.slice(1));
    assert.ok(from < 190, `it reaches to ${first}`);
    for (let turn = from + 1; turn < 199; turn += 1) {
      assert.ok(got.includes(`Question ${turn}?`), `question ${turn}`);
      assert.ok(got.includes(`Answer ${turn} `), `answer ${turn}`);
    }
    assert.match(got, /Question 199\?$/);
  });
});

test('Shift and a click select from where one clicked before, across what is no longer drawn', async () => {
  await withPanel(longTalk(200), { height: 700 }, async (panel) => {
    await opened(panel, 200);
    await scrollTo(panel, 0);
    await panel.page.getByText('Question 0?', { exact: true }).click({ position: { x: 1, y: 8 } });
    await scrollTo(panel, 1);
    await eventually(async () => (await row(panel, 'a20').count()) === 0);
    const last = panel.page.getByText('Question 199?', { exact: true });
    const box = await last.boundingBox();
    assert.ok(box);
    await panel.page.keyboard.down('Shift');
    await panel.page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
    await panel.page.keyboard.up('Shift');
    const got = await copied(panel);
    const expected = longTalk(200).items.slice(0, -1);
    assert.equal(got.split('\n\n')[0], 'Question 0?');
    for (const item of expected) {
      const words = item.kind === 'user' ? item.text : `Answer ${item.id.slice(1)} `;
      assert.ok(got.includes(words), words);
    }
  });
});

test('Ctrl+A in the conversation selects all of it, and the copy has what is not drawn', async () => {
  await withPanel(longTalk(300), {}, async (panel) => {
    await opened(panel, 300);
    await log(panel).focus();
    await panel.page.keyboard.press('Control+a');
    const words = longTalk(300)
      .items.map((item) =>
        item.kind === 'user' ? item.text : item.kind === 'assistant' ? wordsOf(item.blocks) : '',
      )
      .join('\n\n');
    assert.equal(await copied(panel), words);
    await scrollTo(panel, 0);
    await scrollTo(panel, 0.4);
    assert.equal(await copied(panel), words, 'after it was scrolled');
    // As the editor's own command does it, which knows nothing of us.
    await panel.page.evaluate(
      "getSelection().removeAllRanges(); document.execCommand('selectAll')",
    );
    assert.equal(await copied(panel), words, 'by the editor');
    await message(panel).fill('mine');
    await message(panel).press('Control+a');
    assert.equal(await copied(panel), '', 'what is typed is copied by the browser');
  });
});

const wordsOf = (blocks: readonly { readonly kind: string }[]): string =>
  blocks
    .flatMap((block) => ('text' in block && block.kind === 'text' ? [String(block.text)] : []))
    .join('\n\n');

test('a jump lands where it should, and stays there while what is around it is drawn', async () => {
  await withPanel(longTalk(400), { height: 600 }, async (panel) => {
    await opened(panel, 400);
    const edge = await log(panel).evaluate((one) => one.getBoundingClientRect().top);
    for (const turn of [20, 310, 150]) {
      await message(panel).focus();
      await panel.page.keyboard.press('Control+f');
      await panel.page
        .getByRole('textbox', { name: 'Find', exact: true })
        .fill(`Question ${turn}?`);
      await row(panel, `u${turn}`).waitFor();
      await frames(panel);
      await panel.page.keyboard.press('Escape');
      await row(panel, `u${turn}`).locator('article').focus();
      await panel.page.keyboard.press('Alt+ArrowUp');
      const focused = () =>
        panel.page.evaluate(() => document.activeElement?.getAttribute('data-item') ?? '');
      await eventually(async () => (await focused()) === `u${turn - 1}`);
      await frames(panel);
      const place = (await topOf(panel, `u${turn - 1}`)) - edge;
      assert.ok(Math.abs(place) <= 2, `${place} px from the edge`);
    }
  });
});

test('find scrolls once to a match, and not again when the conversation goes on', async () => {
  await withPanel(longTalk(200), { height: 600 }, async (panel) => {
    await opened(panel, 200);
    await message(panel).focus();
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find', exact: true }).fill('Question 50?');
    await row(panel, 'u50').waitFor();
    await scrollTo(panel, 0.8);
    const { id, top } = await topRow(panel);
    await panel.patch({ op: 'item', item: { kind: 'user', id: 'new', text: 'One more.' } });
    await frames(panel);
    assert.ok(Math.abs((await topOf(panel, id)) - top) <= 2);
    await panel.page.keyboard.press('Enter');
    await row(panel, 'u50').waitFor();
  });
});

test('what was opened is open when one comes back, and what was said is not said again', async () => {
  const state = longTalk(100);
  await withPanel(state, {}, async (panel) => {
    await opened(panel, 100);
    const block = tool('late', {
      title: 'Late look',
      result: { text: 'none', size: 4, isError: false },
    });
    await panel.patch(
      { op: 'item', item: { kind: 'assistant', id: 'live', blocks: [block] } },
      { op: 'block', itemId: 'live', block: text('said', 'Heard once.') },
    );
    const polite = panel.page.locator('[data-live="polite"]');
    await polite.getByText('Heard once.').waitFor({ state: 'attached' });
    const open = panel.page.getByRole('button', { name: 'Late look, done', exact: true });
    await open.click();
    assert.equal(await open.getAttribute('aria-expanded'), 'true');
    // Newer ones, so that it is not kept as the newest.
    await panel.patch(
      { op: 'item', item: { kind: 'user', id: 'next', text: 'Next' } },
      { op: 'item', item: { kind: 'assistant', id: 'newest', blocks: [text('n', 'Newest.')] } },
    );
    await polite.getByText('Newest.').waitFor({ state: 'attached' });
    await message(panel).focus();
    await scrollTo(panel, 0);
    assert.equal(await row(panel, 'live').count(), 0);
    await panel.page.getByRole('button', { name: 'Jump to latest', exact: true }).click();
    await open.waitFor();
    assert.equal(await open.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await polite.locator('div').allTextContents(), ['Heard once.', 'Newest.']);
  });
});

test('at the end it follows one that streams, and a long way back nothing of it is lost', async () => {
  await withPanel(longTalk(200), { height: 600 }, async (panel) => {
    await opened(panel, 200);
    await panel.patch({
      op: 'item',
      item: { kind: 'assistant', id: 'live', blocks: [text('said', '', true)] },
    });
    const grow = (words: string) =>
      panel.patch({ op: 'append', itemId: 'live', blockId: 'said', text: words });
    await grow('One.\n\n'.repeat(30));
    const gap = () => log(panel).evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    await eventually(async () => (await gap()) <= 1);
    await scrollTo(panel, 0.3);
    const { id, top } = await topRow(panel);
    await grow('Two.\n\n'.repeat(30));
    await grow('Three.');
    await panel.page
      .locator('[data-live="polite"]')
      .getByText('Two.')
      .first()
      .waitFor({ state: 'attached' });
    await frames(panel);
    assert.ok(Math.abs((await topOf(panel, id)) - top) <= 2);
    await panel.page.getByRole('button', { name: 'Jump to latest', exact: true }).click();
    await row(panel, 'live').getByText('Three.').waitFor();
    await eventually(async () => (await gap()) <= 1);
    await grow('\n\nFour.'.repeat(30));
    await eventually(async () => (await row(panel, 'live').getByText('Four.').count()) === 30);
    await eventually(async () => (await gap()) <= 1);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptItem, ViewState } from '../../src/chat/viewStateProtocol';
import { smallForm } from '../harness/panelSandbox/askStates';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import {
  emptyState,
  errorState,
  longState,
  streamingState,
  text,
  tool,
  workState,
} from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

test('right-to-left paragraphs read from the right, code from the left', async () => {
  const words = 'مرحبا بالعالم\n\nHello\n\n```\nx\n```\n';
  await withPanel(streamingState(words), {}, async ({ page }) => {
    const direction = (selector: string, index: number) =>
      page
        .locator(selector)
        .nth(index)
        .evaluate((e) => getComputedStyle(e).direction);
    await page.locator('.md-block').nth(2).waitFor();
    assert.equal(await direction('.md-block p', 0), 'rtl');
    assert.equal(await direction('.md-block p', 1), 'ltr');
    assert.equal(await direction('.md-block pre', 0), 'ltr');
  });
});

test('at 300 px nothing scrolls sideways and every target has 24 px', async () => {
  for (const state of [workState(), longState(), errorState(), emptyState()]) {
    await withPanel(state, { width: 300 }, async (panel) => {
      await message(panel).waitFor();
      assert.equal(await overflows(panel), false);
      const small = await panel.page
        .locator('button, input, textarea, [role="option"]')
        .evaluateAll((all) =>
          all
            .map((e) => ({ name: e.ariaLabel ?? e.textContent, box: e.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 24 || box.height < 24)
            .map(({ name, box }) => `${name}: ${box.width}×${box.height}`),
        );
      assert.deepEqual(small, []);
    });
  }
});

test('at 300 px the parts of a row of a call do not lie over each other', async () => {
  const state = workState();
  const blocks = ['in the background', '12 in 5 files', '1,234,567 tok · 12 min 48 s'].map(
    (figure, i) => tool(`t${i}`, { title: 'Run a command', summary: 'npm run watch', figure }),
  );
  const items = [{ kind: 'assistant' as const, id: 'a9', blocks }];
  await withPanel({ ...state, items }, { width: 300 }, async (panel) => {
    await panel.page.getByRole('group', { name: 'Run a command, done' }).nth(2).waitFor();
    const over = await panel.page.locator('.tool-row').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const parts = [...row.querySelectorAll('.tool-title, .tool-summary, .figure, .codicon')];
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return boxes.slice(1).flatMap((box, i) => {
          const before = boxes[i]?.right ?? 0;
          return box.left < before - 0.5 ? [`${parts[i + 1]?.className} at ${box.left}`] : [];
        });
      }),
    );
    assert.deepEqual(over, []);
  });
});

test('the text has the size of the setting, and the size of the editor without it', async () => {
  await withPanel({ ...workState(), fontSize: 20 }, { width: 300 }, async (panel) => {
    const size = () =>
      panel.page
        .getByRole('article', { name: 'You' })
        .first()
        .evaluate((e) => getComputedStyle(e).fontSize);
    await message(panel).waitFor();
    assert.equal(await size(), '20px');
    assert.equal(await message(panel).evaluate((e) => getComputedStyle(e).fontSize), '20px');
    assert.equal(await overflows(panel), false);
    await panel.patch({ op: 'set', fields: { fontSize: 0 } });
    await eventually(async () => (await size()) === '13px');
  });
});

test('a long conversation opens small, and stays so when one scrolls back', async () => {
  const items = Array.from({ length: 400 }, (_, i): TranscriptItem[] => [
    { kind: 'user', id: `u${i}`, text: `Question ${i}` },
    { kind: 'assistant', id: `a${i}`, blocks: [text(`b${i}`, `Answer ${i}`)] },
  ]).flat();
  await withPanel({ ...emptyState(), items }, {}, async ({ page }) => {
    await page.getByText('Answer 399', { exact: true }).waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements <= 1500, `${elements} elements`);
    const log = page.getByRole('log');
    await eventually(async () => {
      await log.evaluate((e) => e.scrollTo(0, 0));
      return (await page.getByText('Question 0', { exact: true }).count()) === 1;
    });
    const articles = await page.getByRole('article').count();
    assert.ok(articles <= 80, `${articles} articles`);
  });
});

test('words come in the language that the snapshot brings', async () => {
  await withPanel(emptyState(), { l10n: { Send: 'Senden', Idle: 'Bereit' } }, async ({ page }) => {
    await page.getByRole('button', { name: 'Senden', exact: true }).waitFor();
    assert.equal(await page.getByRole('status').innerText(), 'Bereit');
  });
});

test('each line of plain text is read from its own side', async () => {
  const lines = 'hello world\nשלום עולם\nand on';
  const thinking = { kind: 'thinking' as const, id: 'k9', text: lines, streaming: false };
  const state: ViewState = {
    ...emptyState(),
    items: [
      { kind: 'user', id: 'u1', text: lines },
      { kind: 'assistant', id: 'a1', blocks: [thinking] },
    ],
    asks: [{ ...smallForm(), message: lines }],
  };
  await withPanel(state, {}, async ({ page }) => {
    await page.getByRole('button', { name: 'Thinking', exact: true }).click();
    for (const box of ['.user-text', '.thinking-text', '.ask-message']) {
      const sides = await page.locator(box).evaluate((element) => {
        const text = element.firstChild;
        if (!(text instanceof Text)) throw new Error('no text');
        const { left, right } = element.getBoundingClientRect();
        let from = 0;
        return text.data.split('\n').map((line) => {
          const range = document.createRange();
          range.setStart(text, from);
          range.setEnd(text, from + line.length);
          from += line.length + 1;
          const place = range.getBoundingClientRect();
          return place.left - left < right - place.right ? 'left' : 'right';
        });
      });
      assert.deepEqual(sides, ['left', 'right', 'left'], box);
    }
  });
});

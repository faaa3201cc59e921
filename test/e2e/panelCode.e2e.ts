import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import { streamingState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

test('code is copied, put at the cursor, opened as a file of its language, and wrapped', async () => {
  const long = `const a = '${'x'.repeat(500)}';`;
  await withPanel(streamingState(`\`\`\`ts\n${long}\n\`\`\`\n`), {}, async (panel) => {
    const press = (name: string) => panel.page.getByRole('button', { name, exact: true }).click();
    await press('Insert at the cursor');
    await press('Open as a new file');
    await press('Copy code');
    await eventually(() => panel.sent('copy').length === 1);
    assert.deepEqual(panel.sent('insertCode'), [{ type: 'insertCode', text: long }]);
    const opened = { type: 'openCode', text: long, language: 'ts' } as const;
    assert.deepEqual(panel.sent('openCode'), [opened]);
    const pre = panel.page.locator('.md-code pre');
    const isWide = () => pre.evaluate((box) => box.scrollWidth > box.clientWidth);
    assert.equal(await isWide(), true);
    await press('Wrap lines');
    const wrap = panel.page.getByRole('button', { name: 'Wrap lines', pressed: true });
    await wrap.waitFor();
    assert.equal(await isWide(), false);
    await wrap.click();
    assert.equal(await isWide(), true);
  });
});

test('code that is wrapped stays so while more of it comes, and its button says so', async () => {
  await withPanel(streamingState('```ts\nconst a = 1;\n'), {}, async (panel) => {
    await panel.page.getByRole('button', { name: 'Wrap lines', exact: true }).click();
    for (const [more, seen] of [
      ['const b = 2;\n', 'const b'],
      ['```\n\nAnd words.', 'And words.'],
    ] as const) {
      await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text: more });
      await panel.page.getByText(seen).waitFor();
      assert.equal(await panel.page.locator('.md-code-wrapped').count(), 1);
      await panel.page.getByRole('button', { name: 'Wrap lines', pressed: true }).waitFor();
    }
  });
});

test('links and copy buttons go to the host as written', async () => {
  await withPanel(
    streamingState('See [a](src/a.ts:12).\n\n```\ncode\n```\n'),
    {},
    async (panel) => {
      await panel.page.getByRole('link', { name: 'a', exact: true }).click();
      await panel.page.getByRole('button', { name: 'Copy code' }).click();
      await eventually(() => panel.sent('copy').length === 1);
      assert.deepEqual(panel.sent('openLink'), [{ type: 'openLink', href: 'src/a.ts:12' }]);
      assert.deepEqual(panel.sent('copy'), [{ type: 'copy', text: 'code' }]);
    },
  );
});

/** What is coloured, by its kind, in the order of the text. */
const coloured = (page: Page): Promise<Readonly<Record<string, readonly string[]>>> =>
  page.evaluate(() => {
    const wordsOf = (part: AbstractRange): string => {
      const range = document.createRange();
      range.setStart(part.startContainer, part.startOffset);
      range.setEnd(part.endContainer, part.endOffset);
      return range.toString();
    };
    return Object.fromEntries(
      [...CSS.highlights]
        .filter(([name]) => name.startsWith('code-'))
        .map(([name, ranges]) => [name, [...ranges].map(wordsOf)] as const)
        .filter(([, texts]) => texts.length > 0),
    );
  });

test('code in a language that is named has colours, and its text stays one node', async () => {
  const words =
    "```ts\nconst a = 'b'; // why\n```\n\n```nosuch\nconst c\n```\n\n```\nconst d\n```\n";
  await withPanel(streamingState(words), {}, async ({ page }) => {
    await eventually(async () => 'code-keyword' in (await coloured(page)));
    assert.deepEqual(await coloured(page), {
      'code-keyword': ['const'],
      'code-string': ["'b'"],
      'code-comment': ['// why'],
    });
    assert.equal(
      await page
        .locator('.md-code code')
        .first()
        .evaluate((e) => e.childNodes.length),
      1,
    );
    const colour = await page.evaluate(() => {
      const code = document.querySelector('.md-code code');
      return code && getComputedStyle(code, '::highlight(code-keyword)').color;
    });
    assert.equal(colour, 'rgb(78, 148, 206)');
  });
});

test('a fence gets its colours when it is closed, and lets go of them when it goes', async () => {
  const state = streamingState('Look:\n\n```js\nlet a = 1;\n');
  await withPanel(state, {}, async (panel) => {
    const { page } = panel;
    await page.getByText('let a = 1;').waitFor();
    const add = (text: string) => panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text });
    await add('let b = 2;\n```\n\nDone.\n\n');
    await eventually(async () => (await coloured(page))['code-keyword']?.length === 2);
    await panel.snapshot({ ...state, items: [] });
    await eventually(async () => Object.keys(await coloured(page)).length === 0);
  });
});

test('the bundle of colours is loaded once, with the first fence that is closed, and not before', async () => {
  await withPanel(streamingState('Look: `a`.\n\n```js\nlet a = 1;\n'), {}, async (panel) => {
    const { page } = panel;
    const asked = () =>
      page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.includes('highlighter')).length,
      );
    const add = (text: string) => panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text });
    await page.getByText('let a = 1;').waitFor();
    await add('let b = 2;\n');
    await page.getByText('let b = 2;').waitFor();
    assert.equal(await asked(), 0);
    await add('```\n\nDone.\n\n```js\nlet c = 3;\n```\n\nAlso done.\n\n');
    await eventually(async () => (await coloured(page))['code-keyword']?.length === 3);
    assert.equal(await asked(), 1);
  });
});

test('only code near the view has colours, wherever the reader goes', async () => {
  const fences = Array.from(
    { length: 30 },
    (_, at) => `\`\`\`ts\nlet code${at};${'\n'.repeat(12)}\`\`\`\n\nWords.\n\n`,
  );
  await withPanel(streamingState(fences.join('')), {}, async ({ page }) => {
    const scroll = (to: 'start' | 'end') =>
      page.locator('.md-code').evaluateAll((all, end) => {
        all.at(end === 'end' ? -1 : 0)?.scrollIntoView();
      }, to);
    const isColoured = (at: number) =>
      page.evaluate((index) => {
        const code = document.querySelectorAll('.md-code code')[index];
        const keywords = [...(CSS.highlights.get('code-keyword') ?? [])];
        return keywords.some(({ startContainer }) => code?.contains(startContainer));
      }, at);
    for (const round of [1, 2]) {
      await scroll('end');
      await eventually(async () => (await isColoured(29)) && !(await isColoured(0)));
      await scroll('start');
      await eventually(async () => (await isColoured(0)) && !(await isColoured(29)));
      assert.equal(await isColoured(15), false, `round ${round}`);
    }
  });
});

test('a very long code is shown without colours', async () => {
  const long = 'const a = 1;\n'.repeat(4_000);
  const words = `\`\`\`ts\n${long}\`\`\`\n\n\`\`\`ts\nlet b;\n\`\`\`\n\nDone.\n`;
  await withPanel(streamingState(words), {}, async ({ page }) => {
    await eventually(async () => 'code-keyword' in (await coloured(page)));
    assert.deepEqual(await coloured(page), { 'code-keyword': ['let'] });
  });
});

const LINES = 100_000;
const linesFrom = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `${from + n} [info]: a line of a log\n`).join('');

test('a fence of 100,000 lines is drawn in part, all of it can be had, and the panel answers', async () => {
  const code = linesFrom(0, LINES);
  await withPanel(
    streamingState(`Here:\n\n\`\`\`log\n${code}\`\`\`\n\nDone.`),
    {},
    async (panel) => {
      const { page } = panel;
      await page.getByText('400 of 100,000 lines').waitFor();
      const drawn = await page.locator('.md-code pre').evaluate((pre) => pre.textContent.length);
      assert.ok(drawn < 50_000, String(drawn));
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('still here');
      await page.getByRole('button', { name: 'Copy code', exact: true }).click();
      await page.getByRole('button', { name: 'Open all of it', exact: true }).click();
      await eventually(() => panel.sent('openCode').length === 1);
      assert.equal(panel.sent('copy')[0]?.text, code.trimEnd());
      assert.equal(panel.sent('openCode')[0]?.text, code.trimEnd());
      await page.getByText('Done.', { exact: true }).waitFor();
    },
  );
});

test('while such a fence comes in the panel goes on answering', async () => {
  const PART = 5_000;
  await withPanel(streamingState('```log\n'), {}, async (panel) => {
    const { page } = panel;
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    for (let from = 0; from < LINES; from += PART) {
      const text = linesFrom(from, PART);
      await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text });
      await box.fill(`seen ${from}`);
    }
    await page.getByText('400 of 100,000 lines').waitFor();
    const end = '```\n';
    await panel.patch({ op: 'append', itemId: 'a1', blockId: 'x1', text: end });
    await page.getByRole('button', { name: 'Copy code', exact: true }).click();
    await eventually(() => panel.sent('copy').length === 1);
    assert.equal(panel.sent('copy')[0]?.text, linesFrom(0, LINES).trimEnd());
  });
});

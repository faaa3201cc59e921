import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { streamingState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

const append = (text: string) => ({ op: 'append', itemId: 'a1', blockId: 'x1', text }) as const;
const finish = { op: 'finish', itemId: 'a1', blockId: 'x1' } as const;
const selected = (panel: SandboxPanel) => panel.page.evaluate(() => getSelection()?.toString());
const focused = (panel: SandboxPanel) =>
  panel.page.evaluate(() => document.activeElement?.className ?? '');

/** Selects the word where it stands in the answer, from its end if that is asked for. */
async function select(panel: SandboxPanel, word: string, isBackward = false): Promise<void> {
  await panel.page.locator('.md-block').getByText(word).first().waitFor();
  await panel.page.evaluate(
    ([wanted, backward]) => {
      const answer = document.querySelector('.text');
      const walker = document.createTreeWalker(answer ?? document, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = (node.nodeValue ?? '').indexOf(wanted);
        if (at === -1) continue;
        const [from, to] = backward ? [at + wanted.length, at] : [at, at + wanted.length];
        getSelection()?.setBaseAndExtent(node, from, node, to);
        return;
      }
      throw new Error(`${wanted} stands nowhere`);
    },
    [word, isBackward] as const,
  );
}

for (const [becomes, before, more, drawn] of [
  ['a loose list', '- one words here\n', '\n- two', '.md-block li > p'],
  ['a loose list of three', '- one words here\n- two\n', '\n- three', '.md-block li > p'],
  ['a loose list inside', '1. a\n   - one words here\n', '\n   - c', '.md-block li li > p'],
  ['a table', '| a words | b |', '\n|---|---|\n| 1 | 2 |', '.md-block table'],
  ['a heading', 'Some words\n', '===\n\nand', '.md-block h3'],
  ['code in a loose list', '- a\n  ```js\n  words = 1\n  ```\n', '\n- b', '.md-block li > p'],
  ['bold', 'Use **words', '** now', '.md-block strong'],
] as const) {
  test(`a selection stays where what it is in becomes ${becomes}`, async () => {
    for (const isBackward of [false, true]) {
      await withPanel(streamingState(before), {}, async (panel) => {
        await select(panel, 'words', isBackward);
        await panel.patch(append(more));
        await panel.page.locator(drawn).first().waitFor();
        assert.equal(await selected(panel), 'words');
        const direction = await panel.page.evaluate(() => {
          const { anchorNode, anchorOffset } = getSelection() ?? {};
          const range = getSelection()?.getRangeAt(0);
          return range?.startContainer === anchorNode && range?.startOffset === anchorOffset;
        });
        assert.equal(direction, !isBackward);
      });
    }
  });
}

test('a selection stays where the definition of a link makes one block of all', async () => {
  const before = 'First.\n\nSecond words here, see [it][1].\n\nThird';
  await withPanel(streamingState(before), {}, async (panel) => {
    await select(panel, 'words here');
    await panel.patch(append(' one.\n\n[1]: https://example.com\n'), finish);
    await panel.page.getByRole('link', { name: 'it', exact: true }).waitFor();
    assert.equal(await selected(panel), 'words here');
  });
});

test('words above the first item of a list are no heading before its letters come', async () => {
  for (const [before, line] of [
    ['Here are words:', '\n-'],
    ['- Parent words', '\n  -'],
    ['> Quoted words', '\n> -'],
    ['Some words', '\n='],
  ] as const) {
    await withPanel(streamingState(before), {}, async (panel) => {
      await select(panel, 'words');
      await panel.page.evaluate(() => {
        const seen: string[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => {
          for (const one of document.querySelectorAll('.md-block :is(h3, h4)'))
            seen.push(one.textContent);
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      await panel.patch(append(line));
      await panel.patch(append(' first of them'));
      await panel.page.getByText('first of them').waitFor();
      assert.deepEqual(await panel.page.evaluate(() => Reflect.get(window, 'seen') as unknown), []);
      assert.equal(await selected(panel), 'words');
    });
  }
  // What was meant so is one as soon as its line has ended.
  await withPanel(streamingState('Some words'), {}, async (panel) => {
    await panel.patch(append('\n---'));
    await panel.patch(append('\n'));
    await panel.page.getByRole('heading', { name: 'Some words' }).waitFor();
  });
  await withPanel(streamingState('Some words'), {}, async (panel) => {
    await panel.patch(append('\n---'), finish);
    await panel.page.getByRole('heading', { name: 'Some words' }).waitFor();
  });
});

test('code in a list that becomes loose keeps the focus on its buttons, and its look', async () => {
  const before = '- a\n  ```js\n  const b = 1;\n  ```\n';
  await withPanel(streamingState(before), {}, async (panel) => {
    const wrap = panel.page.getByRole('button', { name: 'Wrap lines', exact: true });
    await wrap.click();
    await wrap.focus();
    await panel.patch(append('\n- b'));
    await panel.page.locator('.md-block li > p').first().waitFor();
    assert.match(await focused(panel), /md-code-wrap/);
    assert.equal(await panel.page.locator('.md-code-wrapped').count(), 1);
  });
});

test('a cited name that has the focus keeps it while its paragraph grows', async () => {
  await withPanel(streamingState('Call `orderTotal` now'), {}, async (panel) => {
    await panel.page.getByRole('log').focus();
    await eventually(() => panel.sent('findSymbols').length === 1);
    await panel.send({ type: 'symbols', found: [{ name: 'orderTotal', count: 1 }] });
    const link = panel.page.getByRole('link', { name: 'orderTotal', exact: true });
    await link.focus();
    await panel.patch(append(' and more'));
    await panel.page.getByText('and more').waitFor();
    assert.match(await focused(panel), /symbol-link/);
    await panel.page.keyboard.press('Enter');
    await eventually(() => panel.sent('openSymbol').length === 1);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, text, tool, workState } from '../harness/panelSandbox/states';

const { withPanel, message } = panelFixture();

const RICH = [
  '## Two things',
  '',
  'The **old name** stands in `src/report.ts`, see [the docs](https://example.com/docs).',
  '',
  '1. first',
  '2. second',
  '   - [ ] inner',
  '   - [x] other',
  '',
  '```ts',
  'const a = `x`;',
  'const b = 2;',
  '```',
  '',
  '| file | uses |',
  '| --- | --- |',
  '| a\\|b.ts | 2 |',
  '',
  '> quoted',
  '> words',
].join('\n');

const richState = () => ({
  ...emptyState(),
  items: [
    { kind: 'user' as const, id: 'u1', text: 'Look at\n  <b>this</b>' },
    {
      kind: 'assistant' as const,
      id: 'a1',
      blocks: [text('x1', 'I look.'), tool('t1', { summary: 'all' }), text('x2', RICH)],
    },
  ],
});

const said = (panel: SandboxPanel, name: 'You' | 'Claude') =>
  panel.page.getByRole('article', { name, exact: true });
const action = (panel: SandboxPanel, of: 'You' | 'Claude', name: string) =>
  said(panel, of).getByRole('button', { name, exact: true });

/** Selects from the first place where one text stands to the end of another. */
async function select(panel: SandboxPanel, from: string, to: string): Promise<void> {
  await panel.page.evaluate(
    ([first, last]) => {
      const find = (words: string): [Text, number] => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = (node.nodeValue ?? '').indexOf(words);
          if (at !== -1 && node instanceof Text) return [node, at];
        }
        throw new Error(`${words} stands nowhere`);
      };
      const [start, startAt] = find(first);
      const [end, endAt] = find(last);
      document.getSelection()?.setBaseAndExtent(start, startAt, end, endAt + last.length);
    },
    [from, to] as const,
  );
}

test('Copy gives a message as markdown, without its workings', async () => {
  await withPanel(richState(), {}, async (panel) => {
    await action(panel, 'Claude', 'Copy').click();
    await action(panel, 'You', 'Copy').click();
    await eventually(() => panel.sent('copy').length === 2);
    assert.deepEqual(
      panel.sent('copy').map((one) => one.text),
      [`I look.\n\n${RICH}`, 'Look at\n  <b>this</b>'],
    );
  });
});

test('Quote puts a message behind what is typed, and the caret behind it', async () => {
  await withPanel(richState(), { draft: 'Wait.' }, async (panel) => {
    await action(panel, 'You', 'Quote').click();
    await eventually(
      async () => (await message(panel).inputValue()) === 'Wait.\n> Look at\n>   <b>this</b>\n\n',
    );
    assert.ok(await message(panel).evaluate((box) => box === document.activeElement));
    await panel.page.keyboard.type('Why?');
    assert.match(await message(panel).inputValue(), /\n\nWhy\?$/);
  });
});

test('Quote takes what is selected, as markdown, and only what lies in the article', async () => {
  await withPanel(richState(), {}, async (panel) => {
    const quoted = async (from: string, to: string, expected: string) => {
      await message(panel).fill('');
      await select(panel, from, to);
      await action(panel, 'Claude', 'Quote').click();
      await eventually(async () => (await message(panel).inputValue()) !== '');
      assert.equal(await message(panel).inputValue(), expected);
    };
    await quoted('old', 'old', '> old\n\n');
    await quoted(
      'The ',
      'the docs',
      '> The **old name** stands in `src/report.ts`, see [the docs](https://example.com/docs)\n\n',
    );
    await quoted('b = 2', 'b = 2', '> b = 2\n\n');
    await quoted('Look at', 'I look.', '> I look.\n\n');
    await quoted(
      'first',
      'words',
      [
        '> 1. first',
        '> 2. second',
        '>    - [ ] inner',
        '>    - [x] other',
        '>',
        '> ```ts',
        '> const a = `x`;',
        '> const b = 2;',
        '> ```',
        '>',
        '> | file | uses |',
        '> | --- | --- |',
        '> | a\\|b.ts | 2 |',
        '>',
        '> > quoted',
        '> > words',
        '',
        '',
      ].join('\n'),
    );
  });
});

test('a selection is copied as clean markdown and as HTML; code as it is', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  await withPanel(richState(), { context }, async (panel) => {
    await said(panel, 'Claude').waitFor();
    const copied = async (from: string, to: string) => {
      await select(panel, from, to);
      // As the key does it; the sandbox's page has no clipboard of its own to read from.
      return panel.page.evaluate(() => {
        const clipboardData = new DataTransfer();
        const event = new ClipboardEvent('copy', {
          clipboardData,
          bubbles: true,
          cancelable: true,
        });
        document.querySelector('.column')?.dispatchEvent(event);
        return {
          isOurs: event.defaultPrevented,
          plain: clipboardData.getData('text/plain'),
          html: clipboardData.getData('text/html'),
        };
      });
    };
    const list = await copied('first', 'other');
    assert.equal(list.plain, '1. first\n2. second\n   - [ ] inner\n   - [x] other');
    assert.match(list.html, /<li[^>]*>.*first/);
    assert.ok(!list.html.includes('<button'));
    assert.equal((await copied('const a', 'b = 2;')).plain, 'const a = `x`;\nconst b = 2;');
    // A row of work is copied as it looks.
    assert.equal((await copied('I look', 'Two things')).isOurs, false);
  });
});

test('the actions are reached by the keyboard, and shown then', async () => {
  await withPanel(workState(), {}, async (panel) => {
    const quote = action(panel, 'You', 'Quote');
    await quote.focus();
    assert.equal(
      await quote.evaluate((one) => getComputedStyle(one.parentElement ?? one).opacity),
      '1',
    );
    await panel.page.keyboard.press('Enter');
    await eventually(async () => (await message(panel).inputValue()).startsWith('> Rename'));
  });
});

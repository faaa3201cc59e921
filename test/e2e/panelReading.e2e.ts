import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../../src/chat/markdown';
import type { TranscriptItem } from '../../src/chat/viewStateProtocol';
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

test('a selection without words quotes the whole answer, as without a selection, and copies no signs', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  await withPanel(richState(), { context }, async (panel) => {
    await action(panel, 'Claude', 'Quote').click();
    await eventually(async () => (await message(panel).inputValue()) !== '');
    const whole = await message(panel).inputValue();
    await panel.page.evaluate(() => navigator.clipboard.writeText('before'));
    for (const [from, to] of [
      ['first', 'second'],
      ['second', 'inner'],
      ['inner', 'other'],
    ] as const) {
      await message(panel).fill('');
      await panel.page.evaluate(
        ([first, last]) => {
          const find = (words: string): Text => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              if (node instanceof Text && node.data.trim().endsWith(words)) return node;
            }
            throw new Error(`${words} stands nowhere`);
          };
          const [start, end] = [find(first), find(last)];
          const [{ data: a }, { data: b }] = [start, end];
          const range = [start, a.trimEnd().length, end, b.indexOf(last)] as const;
          document.getSelection()?.setBaseAndExtent(...range);
        },
        [from, to] as const,
      );
      await panel.page.keyboard.press('Control+C');
      const copied = await panel.page.evaluate(() => navigator.clipboard.readText());
      assert.doesNotMatch(copied, /[-\d]/, `${from} to ${to} is copied as ${copied}`);
      await action(panel, 'Claude', 'Quote').click();
      await eventually(async () => (await message(panel).inputValue()) !== '');
      assert.equal(await message(panel).inputValue(), whole, `${from} to ${to}`);
    }
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

test('code in lists and quotations is copied as it is, with its blanks and empty lines', async () => {
  const codes = (markdown: string) =>
    [...renderMarkdown(markdown).matchAll(/<code[^>]*>([^]*?)<\/code>/g)].map(([, code]) => code);
  for (const markdown of [
    '- one\n\n  ```yaml\n  a:  \n\n  - b\n\n  1. c\n  ```\n- two\n  - three',
    '1. a\n\n   ```\n   x\n\n     - y\n   ```\n\n2. b',
    '> ```\n> x  \n>\n> - y\n> ```\n>\n> - z',
  ]) {
    const blocks = [text('x1', 'I look.'), text('x2', markdown)];
    const items = [{ kind: 'assistant' as const, id: 'a1', blocks }];
    await withPanel({ ...emptyState(), items }, {}, async (panel) => {
      await panel.page.locator('.md-code').waitFor();
      const copied = await panel.page.evaluate(() => {
        const words = [...document.querySelectorAll('.text')].at(-1);
        if (!words) throw new Error('nothing to copy');
        getSelection()?.selectAllChildren(words);
        const clipboardData = new DataTransfer();
        const how = { clipboardData, bubbles: true, cancelable: true };
        words.dispatchEvent(new ClipboardEvent('copy', how));
        return clipboardData.getData('text/plain');
      });
      assert.deepEqual(codes(copied), codes(markdown), copied);
      assert.equal(
        renderMarkdown(copied).match(/<li/g)?.length,
        renderMarkdown(markdown).match(/<li/g)?.length,
      );
    });
  }
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

/** Own messages so far apart that each fills the view; far more than are drawn at first. */
const longTalk = (turns: number) => ({
  ...emptyState(),
  items: Array.from({ length: turns }, (_, n) => [
    { kind: 'user' as const, id: `u${n}`, text: `Question ${n}` },
    {
      kind: 'assistant' as const,
      id: `a${n}`,
      blocks: [
        text(`x${n}`, Array.from({ length: 30 }, (_, l) => `Line ${l} of ${n}`).join('\n\n')),
      ],
    },
  ]).flat(),
});

const focusedItem = (panel: SandboxPanel) =>
  panel.page.evaluate(() => document.activeElement?.getAttribute('data-item') ?? '');

test('Alt+Up and Alt+Down go through the own messages, and the commands do the same', async () => {
  await withPanel(longTalk(6), { height: 600 }, async (panel) => {
    await message(panel).focus();
    for (const expected of ['u5', 'u4', 'u3']) {
      await panel.page.keyboard.press('Alt+ArrowUp');
      await eventually(async () => (await focusedItem(panel)) === expected);
    }
    await panel.page.keyboard.press('Alt+ArrowDown');
    await eventually(async () => (await focusedItem(panel)) === 'u4');
    await panel.send({ type: 'read', action: 'previousPrompt' });
    await eventually(async () => (await focusedItem(panel)) === 'u3');
    await panel.send({ type: 'read', action: 'nextPrompt' });
    await eventually(async () => (await focusedItem(panel)) === 'u4');
  });
});

test('a pinned answer stays in sight and leads back, also from where it is not drawn', async () => {
  await withPanel(longTalk(60), { height: 600 }, async (panel) => {
    const last = said(panel, 'Claude').last();
    await last.getByRole('button', { name: 'Pin', exact: true }).click();
    const pins = panel.page.getByRole('list', { name: 'Pinned answers', exact: true });
    await pins.getByRole('button', { name: 'Line 0 of 59' }).waitFor();
    await panel.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
    await pins.getByRole('button', { name: 'Line 0 of 59' }).click();
    await eventually(async () => (await focusedItem(panel)) === 'a59');
    await pins.getByRole('button', { name: 'Unpin', exact: true }).click();
    await pins.waitFor({ state: 'detached' });
  });
});

test('a pin outlives the reload of the panel, and is there once the conversation is read', async () => {
  await withPanel({ ...longTalk(3), items: [] }, { height: 600 }, async (panel) => {
    const pins = panel.page.getByRole('list', { name: 'Pinned answers', exact: true });
    await panel.page.getByRole('log').waitFor();
    await panel.patch(...longTalk(3).items.map((item) => ({ op: 'item', item }) as const), {
      op: 'set',
      fields: { pins: ['a1'] },
    });
    await pins.getByRole('listitem').waitFor();
    assert.equal(await pins.getByRole('listitem').count(), 1);
    const last = said(panel, 'Claude').last();
    await last.getByRole('button', { name: 'Pin', exact: true }).click();
    await eventually(() => panel.sent('pins').length === 1);
    assert.deepEqual(panel.sent('pins')[0]?.keys, ['a1', 'a2']);
    await pins.getByRole('button', { name: 'Unpin', exact: true }).first().click();
    await eventually(() => panel.sent('pins').length === 2);
    assert.deepEqual(panel.sent('pins')[1]?.keys, ['a2']);
  });
});

test('an answer without words has its actions once it is over', async () => {
  const state = workState();
  const items = state.items.map((item) =>
    item.kind === 'assistant'
      ? { ...item, blocks: item.blocks.filter(({ kind }) => kind === 'tool') }
      : item,
  );
  await withPanel({ ...state, items, permissions: [] }, {}, async (panel) => {
    const copy = said(panel, 'Claude').getByRole('button', { name: 'Copy', exact: true });
    await said(panel, 'Claude').waitFor();
    assert.equal(await copy.count(), 0, 'words may still come');
    await panel.patch({ op: 'set', fields: { status: { kind: 'idle' } } });
    await copy.click();
    await eventually(() => panel.sent('copy').length === 1);
    assert.match(panel.sent('copy')[0]?.text ?? '', /^- Find references: calcTotal/);
  });
});

test('Collapse all folds what is open, also what opened by itself', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await panel.page.getByRole('button', { name: 'Thinking', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Problems, done', exact: true }).click();
    const open = panel.page.locator('.column .assistant [aria-expanded="true"]');
    assert.equal(await open.count(), 3);
    await panel.send({ type: 'read', action: 'collapseAll' });
    await eventually(async () => (await open.count()) === 0);
  });
});

test('Collapse all of the menu folds all too: what is not drawn, details, and what was sent along', async () => {
  const talk = longTalk(60);
  const late = tool('late', {
    title: 'Late look',
    result: { text: 'none', size: 4, isError: false },
  });
  const more: readonly TranscriptItem[] = [
    { kind: 'user', id: 'sent', text: 'see @a', expansion: [{ title: 'a.ts', text: 'code' }] },
    { kind: 'error', id: 'failed', message: 'It failed.', details: 'raw', actions: [] },
    { kind: 'assistant', id: 'live', blocks: [late] },
    { kind: 'user', id: 'next', text: 'Next' },
    { kind: 'assistant', id: 'newest', blocks: [text('n', 'Newest.')] },
  ];
  await withPanel({ ...talk, items: [...talk.items, ...more] }, {}, async (panel) => {
    const open = panel.page.locator('.column [aria-expanded="true"]');
    const names = ['Sent: a.ts', 'Details', 'Late look, done'];
    const press = async (name: string) =>
      panel.page.getByRole('button', { name, exact: true }).click();
    const collapse = async () => {
      await press('More actions');
      await panel.page.getByRole('menuitem', { name: 'Collapse all', exact: true }).click();
    };
    for (const name of names) await press(name);
    assert.equal(await open.count(), names.length);
    await collapse();
    await eventually(async () => (await open.count()) === 0);
    for (const name of names) await press(name);
    await message(panel).focus();
    await panel.page.getByRole('log').evaluate((one) => {
      one.scrollTop = 0;
    });
    const row = panel.page.getByRole('button', { name: 'Late look, done', exact: true });
    await eventually(async () => (await row.count()) === 0);
    await collapse();
    await press('Jump to latest');
    await row.waitFor();
    assert.equal(await open.count(), 0);
  });
});

test('the focus view folds the work of a turn into one line, that says what came of it', async () => {
  await withPanel({ ...workState(), focusView: true }, { width: 300 }, async (panel) => {
    const work = panel.page.getByRole('button', { name: /^6 calls · 1 file changed · 1 failed/ });
    await work.waitFor();
    assert.equal(await panel.page.locator('.tool').count(), 0);
    await work.getByText('Symbols').waitFor();
    await work.click();
    await panel.page.getByRole('group', { name: 'Edit, done', exact: true }).waitFor();
    await panel.patch({ op: 'set', fields: { focusView: false } });
    await work.waitFor({ state: 'detached' });
    await panel.page.getByRole('group', { name: 'Edit, done', exact: true }).waitFor();
  });
});

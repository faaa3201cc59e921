import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainWords, renderMarkdown } from '../../src/chat/markdown';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, text } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

/** Forms of markdown, each of which is to be the same again once it was copied. */
const FORMS = [
  ...['[a](https://x.example "A title")', '[a](b.md "say \\"so\\"")', '![pic](img/a.png)'],
  ...['![](img/a.png)', '![pic](img/a.png "of it")', '![a](b.png)[c](d)', '[`code`](a.ts)'],
  ...['[a\\]b](x.md)', '[a [b] c](x.md)', '[x](<a)b.md>)', '[x](app/(shop)/a.md)'],
  ...['[x](<my file.md>)', '<https://a.example/b>', 'https://ja.wikipedia.org/wiki/日本'],
  ...['# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six', 'Title\n==='],
  ...['| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |', '| `a\\|b` |\n|---|\n| \\| |'],
  ...['**a**b *c* ***d*** ~~e~~', '**a *b* c**', 'x **bold `code` bold** y', '``a`b``', '`` ` ``'],
  ...['\\# no heading', '1986\\. A year', '\\- no item', '\\> no quotation', 'a\nb  \nc'],
  ...['- a\n- b\n\n1. c\n2. d', '7. a\n8. b', '1. a\n   1. b\n      1. c', '- [ ] a\n- [x] b'],
  ...['> a\n>\n> b', '- a\n  > q\n- ```\n  x\n  ```', '~~~py\n```\n~~~', '    indented\n\npara'],
  ...[
    '`src/a.ts:12` and src/a.ts:12',
    '$a_1 * b_1 * c$',
    '$$\na\n+ b\n$$',
    '<div> & &lt;b&gt; "q"',
  ],
  // Two lists that stand one behind the other are two.
  ...['- a\n\n* b', '1. a\n\n1) b', '- a\n- b\n\n+ c\n\n- d', '> - a\n>\n> * b', '- a\n\n1. b'],
  ...['- a\n  - b\n\n  * c', '- a\n\n  2. b', '1. a\n\n   7. b\n\n   8) c'],
  // Signs that are words stay such, in the first line and behind it.
  ...['a\n\\# b', '- \\# x', 'a\n\\- b\n\\+ c\n2\\. d', 'a\n\\=\\=\\=', 'a\n\\---', '\\```\nx'],
  ...[
    '\\*a\\* b',
    'a \\`b\\`',
    '2\\*3\\*4',
    '\\[a](b)',
    '&amp;lt;',
    '\\~\\~a\\~\\~',
    '\\_\\_init\\_\\_',
  ],
  ...[
    'C:\\\\_x\\\\*',
    '&#42;a&#42;',
    '$a*b*c$ and \\(x_1*y_1\\)',
    'snake_case * 2 ~/a [x] a & b < c',
  ],
];

/** Copies all of each answer, one after the other. */
function copied({ page }: SandboxPanel): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.text')].map((words) => {
      getSelection()?.selectAllChildren(words);
      const clipboardData = new DataTransfer();
      const how = { clipboardData, bubbles: true, cancelable: true };
      words.dispatchEvent(new ClipboardEvent('copy', how));
      return clipboardData.getData('text/plain');
    }),
  );
}

const state = (sources: readonly string[]) => ({
  ...emptyState(),
  items: sources.map((source, n) => ({
    ...{ kind: 'assistant' as const, id: `a${n}`, blocks: [text(`x${n}`, source)] },
  })),
});

/** Loose or tight, and how its lines break, is not what was said. */
const form = (markdown: string) =>
  renderMarkdown(markdown)
    .replace(/\s*\n\s*/g, '')
    .replace(/<\/?p[^>]*>/g, '');

test('what is copied is drawn as what it was copied from: titles, pictures, levels, columns, signs', async () => {
  await withPanel(state(FORMS), { height: 8000 }, async (panel) => {
    await panel.page
      .locator('.text')
      .nth(FORMS.length - 1)
      .waitFor();
    const copies = await copied(panel);
    assert.equal(copies.length, FORMS.length);
    for (const [at, source] of FORMS.entries()) {
      assert.equal(form(copies[at] ?? ''), form(source), `${source}\n→ ${copies[at] ?? ''}`);
    }
    // Find looks through these words, and marks what is drawn.
    const drawn = await panel.page
      .locator('.text')
      .evaluateAll((all) => all.map((one) => one.textContent));
    assert.deepEqual(drawn, FORMS.map(plainWords));
  });
});

test('code that is drawn in part is copied whole by who selects across it, and else as it is selected', async () => {
  const code = Array.from({ length: 3_000 }, (_, n) => `row ${n}`).join('\n');
  const source = `Before.\n\n\`\`\`js\n${code}\n\`\`\`\n\nBehind.`;
  await withPanel(state([source, 'Last.']), {}, async (panel) => {
    await panel.page.getByText('400 of 3,000 lines').waitFor();
    assert.equal((await copied(panel))[0], source);
    const part = await panel.page.evaluate(() => {
      const node = document.querySelector('pre code')?.firstChild;
      const words = document.querySelector('.text');
      if (!node || !words) throw new Error('no code');
      getSelection()?.setBaseAndExtent(words, 0, node, 11);
      const clipboardData = new DataTransfer();
      const how = { clipboardData, bubbles: true, cancelable: true };
      words.dispatchEvent(new ClipboardEvent('copy', how));
      return clipboardData.getData('text/plain');
    });
    assert.equal(part, 'Before.\n\n```js\nrow 0\nrow 1\n```');
  });
});

test('what needs no sign before it gets none', async () => {
  const plain = 'snake_case, 2 * 3, ~/a, [x], a & b < c, #tag, -1, $HOME and C:\\dir';
  await withPanel(state([plain]), {}, async (panel) => {
    await panel.page.locator('.text').waitFor();
    assert.deepEqual(await copied(panel), [plain]);
  });
});

test('of bold and cited words that are selected in part the marks stand at the words', async () => {
  const source = 'One **bold words here** and *lean words* ~~old words~~ end';
  await withPanel(state([source]), {}, async (panel) => {
    await panel.page.getByText('end').waitFor();
    const parts = await panel.page.evaluate(() => {
      const words = document.querySelector('.text');
      const all = words?.textContent ?? '';
      const pointAt = (place: number): readonly [Node, number] => {
        const nodes = document.createTreeWalker(words ?? document, NodeFilter.SHOW_TEXT);
        let before = 0;
        for (let node = nodes.nextNode(); node instanceof Text; node = nodes.nextNode()) {
          if (before + node.length >= place) return [node, place - before];
          before += node.length;
        }
        throw new Error('no such place');
      };
      return ['One bold ', ' words here and lean ', ' words old '].map((part) => {
        const at = all.indexOf(part);
        getSelection()?.setBaseAndExtent(...pointAt(at), ...pointAt(at + part.length));
        const clipboardData = new DataTransfer();
        const how = { clipboardData, bubbles: true, cancelable: true };
        words?.dispatchEvent(new ClipboardEvent('copy', how));
        return clipboardData.getData('text/plain');
      });
    });
    assert.deepEqual(parts, ['One **bold**', '**words here** and *lean*', '*words* ~~old~~']);
  });
});

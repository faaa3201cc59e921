import type { ToolBlock, ToolResult, ViewState } from '../../../src/chat/viewStateProtocol';
import { emptyState, text, tool } from './states';

/** A PNG of a few pixels. */
export const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAGCAIAAAB1kpiRAAAAeElEQVR4nA3JoQFFIQhA0T/OG4IhzGQz2Uw2k81kMvkO4TDfU8/vU0QZylSWspWjlIJyld9niDGMaSxjG8coA+Paa0ec4UxnOds5Tjk4118HEoxgBivYwQkqILjxOpFkJDNZyU5OUgnJzdeNNKOZzWp2c5pqaG7zB9stbilUXS9vAAAAAElFTkSuQmCC';

export function resultOf(words: string, over: Partial<ToolResult> = {}): ToolResult {
  return {
    text: words,
    size: words.length,
    lines: words.split('\n').length,
    isError: false,
    ...over,
  };
}

const E = '\u001b[';
const TEST_RUN = [
  ...Array.from({ length: 60 }, (_, n) => `${E}32m✓${E}0m case ${n} ${E}2m(${n} ms)${E}0m`),
  `${E}31m✗ sums the order${E}0m`,
  `  at total (src/pricing.ts:41:9)`,
  Array.from({ length: 16 }, (_, n) => `${E}38;5;${n}m${n}${E}0m`).join(' '),
  `${E}41;97m FAIL ${E}0m ${E}7m PASS ${E}0m`,
  `${E}1mTests:${E}0m ${E}31m1 failed${E}0m, ${E}32m60 passed${E}0m`,
].join('\n');

/** A call of each kind, as the host makes their rows. */
export function toolBlocks(): ToolBlock[] {
  return [
    tool('b1', {
      name: 'Bash',
      title: 'Run a command',
      summary: 'npm test -- --coverage',
      figure: 'exit 1',
      state: 'failed',
      subject: { kind: 'command', text: 'npm test -- --coverage', detail: 'Run all tests' },
      result: resultOf(TEST_RUN, { isError: true, isEnd: true }),
    }),
    tool('b2', {
      name: 'Read',
      title: 'Read a file',
      summary: 'src/pricing.ts',
      figure: '18 lines',
      subject: {
        kind: 'file',
        text: 'src/pricing.ts',
        href: '/home/me/shop/src/pricing.ts:41',
        detail: 'lines 41–58 of 212',
      },
      result: resultOf('41\texport function calcTotal(o: Order) {\n42\t  return 0;\n43\t}'),
    }),
    tool('b3', {
      name: 'Grep',
      title: 'Search in files',
      summary: 'calcTotal\\(',
      figure: '3 matches in 2 files',
      subject: { kind: 'pattern', text: 'calcTotal\\(', detail: 'in src, *.ts' },
      result: resultOf(
        'src/report.ts:14:  const t = calcTotal(o);\nsrc/report.ts:31:  calcTotal(o);\nsrc/cart.ts:4:  calcTotal(o);',
      ),
    }),
    tool('b4', {
      name: 'WebSearch',
      title: 'Search the web',
      summary: 'preact signals effect',
      figure: '2 results',
      subject: { kind: 'pattern', text: 'preact signals effect' },
      links: [
        { title: 'Signals – Preact Guide', url: 'https://preactjs.com/guide/v10/signals/' },
        { title: 'An example', url: 'https://example.com/a/rather/long/path' },
      ],
      result: resultOf('Links: [{"title":"Signals – Preact Guide"}]'),
    }),
    tool('b5', {
      name: 'TodoWrite',
      title: 'To-dos',
      summary: 'Renaming the uses',
      figure: '1 of 3 done',
      todos: {
        isLatest: true,
        entries: [
          { text: 'Find all uses of calcTotal', state: 'done' },
          { text: 'Renaming the uses', state: 'active' },
          { text: 'Run the tests and update the snapshot', state: 'pending' },
        ],
      },
      result: resultOf('Todos have been modified successfully.'),
    }),
    tool('b6', {
      name: 'mcp__shop__orders',
      title: 'Open orders',
      summary: '3 orders',
      figure: '≈60 tok',
      result: resultOf('[{"id":4711,"customer":"Åse","total":12.5}]', {
        table: {
          columns: ['id', 'customer', 'total'],
          rows: [
            ['4711', 'Åse', '12.5'],
            ['4712', 'Bo', '7'],
          ],
          moreRows: 1,
        },
      }),
    }),
    tool('b7', {
      name: 'mcp__browser__screenshot',
      title: 'Take a picture',
      summary: 'localhost:3000',
      figure: '≈1 tok',
      result: resultOf('', {
        images: [
          { mediaType: 'image/png', bytes: 81 },
          { mediaType: 'image/png', bytes: 81 },
        ],
      }),
    }),
    tool('b8', {
      name: 'Agent',
      title: 'Agent',
      summary: 'Find all callers',
      figure: '6 calls · 12k tok',
      result: resultOf('**Twelve callers**, all in `src`.\n\n- report.ts\n- cart.ts', {
        isMarkdown: true,
      }),
    }),
  ];
}

export function toolsState(blocks: readonly ToolBlock[] = toolBlocks()): ViewState {
  return {
    ...emptyState(),
    title: 'Rename calcTotal to orderTotal',
    items: [
      { kind: 'user', id: 'u1', text: 'Rename calcTotal to orderTotal everywhere.' },
      {
        kind: 'assistant',
        id: 'a1',
        blocks: [text('x1', 'I look first.'), ...blocks, text('x2', 'That is all.')],
      },
    ],
  };
}

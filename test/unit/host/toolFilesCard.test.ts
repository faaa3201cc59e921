import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApprovalCards } from '../../../src/host/approvalCards';
import { toolFilesCard } from '../../../src/host/toolFilesCard';
import type {
  FileChange,
  ToolFilesAnswer,
  ToolFilesQuestion,
} from '../../../src/workspaceTools/toolFile';

function change(name: string, over: Partial<FileChange> = {}): FileChange {
  const after = 'export const a = 1;\n';
  return {
    relativePath: `.patchbay/tools/${name}`,
    kind: 'added',
    before: undefined,
    after,
    bytes: after.length,
    ...over,
  };
}

function question(over: Partial<ToolFilesQuestion> = {}): ToolFilesQuestion {
  return {
    id: 'one',
    folder: '/work/shop',
    server: 'workspace',
    changes: [change('a.tool.ts')],
    packages: [],
    isFirst: true,
    signal: new AbortController().signal,
    ...over,
  };
}

test('a card names each file with what became of it, its size, and the difference', () => {
  const before = 'one\ntwo\n';
  const card = toolFilesCard(
    question({
      packages: ['left-pad'],
      changes: [
        change('new.tool.ts'),
        change('old.tool.ts', { kind: 'changed', before, after: 'one\nthree\n', bytes: 10 }),
        change('gone.ts', { kind: 'removed', before, after: undefined, bytes: 0 }),
        change('picture.png', { after: undefined, bytes: 2_000_000 }),
      ],
    }),
  );
  assert.deepEqual([card.folder, card.isFirst, card.packages], ['shop', true, ['left-pad']]);
  assert.deepEqual(
    card.files.map(({ path, change: kind, size, diff }) => [
      path.replace('.patchbay/tools/', ''),
      kind,
      size,
      diff?.hunks.flatMap(({ lines }) => lines),
    ]),
    [
      ['new.tool.ts', 'added', '20 B', ['+export const a = 1;']],
      ['old.tool.ts', 'changed', '10 B', [' one', '-two', '+three']],
      ['gone.ts', 'removed', undefined, ['-one', '-two']],
      ['picture.png', 'added', '2 MB', undefined],
    ],
  );
});

test('a long difference is left out as a whole, and many files are counted', () => {
  const long = 'line\n'.repeat(5_000);
  const card = toolFilesCard(
    question({
      changes: [
        change('long.tool.ts', { after: long, bytes: long.length }),
        ...Array.from({ length: 499 }, (_, i) => change(`${i}.tool.ts`)),
      ],
    }),
  );
  assert.equal(card.files[0]?.diff, undefined);
  assert.ok(card.files[1]?.diff);
  assert.equal(card.files.length + (card.moreFiles ?? 0), 500);
  assert.ok(JSON.stringify(card).length < 100_000, 'a card stays small');
});

test('a file with a line that is too long to be drawn is not drawn in part', () => {
  const hidden = `const a = 1;${' '.repeat(3_000)}runs();\n`;
  for (const over of [
    { after: hidden, bytes: hidden.length },
    { kind: 'changed', before: 'const a = 1;\n', after: hidden, bytes: hidden.length },
    { kind: 'removed', before: hidden, after: undefined, bytes: 0 },
  ] as const) {
    const card = toolFilesCard(question({ changes: [change('a.tool.ts', over)] }));
    assert.equal(card.files[0]?.diff, undefined, over.bytes.toString());
  }
});

function ask(cards: ApprovalCards, over: Partial<ToolFilesQuestion> = {}) {
  const answers: ToolFilesAnswer[] = [];
  const done = cards.askFiles(question(over)).then((answer) => answers.push(answer));
  return { answers, done };
}

test('tool files wait on a card in every conversation, whatever its folder', async () => {
  const cards = new ApprovalCards();
  const asked = ask(cards);
  assert.deepEqual(
    [cards.of('/work/other'), cards.of(undefined)].map((all) => all.map(({ id }) => id)),
    [['one'], ['one']],
  );
  cards.answer('one', 'never');
  cards.answer('one', 'approve');
  await asked.done;
  assert.deepEqual([asked.answers, cards.of(undefined)], [['refuse'], []]);
});

test('an answer to a content that has changed meanwhile counts for nothing', async () => {
  const cards = new ApprovalCards();
  const changed = new AbortController();
  const first = ask(cards, { signal: changed.signal });
  changed.abort();
  const second = ask(cards, { id: 'two' });
  cards.answer('one', 'approve');
  await first.done;
  assert.deepEqual([first.answers, second.answers], [[undefined], []]);
  cards.answer('two', 'approve');
  await second.done;
  assert.deepEqual(second.answers, ['approve']);
});

test('the same question put again takes the place of the first, which is left open', async () => {
  const cards = new ApprovalCards();
  const before = new AbortController();
  const first = ask(cards, { signal: before.signal });
  const second = ask(cards);
  await first.done;
  before.abort();
  assert.deepEqual([first.answers, cards.of(undefined).length], [[undefined], 1]);
  cards.answer('one', 'later');
  await second.done;
  assert.deepEqual([second.answers, cards.of(undefined)], [[undefined], []]);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedCall } from '../../../src/editor/boundedCall';
import { formatHierarchy } from '../../../src/editor/formatHierarchy';
import { formatHover } from '../../../src/editor/formatHover';
import { createExclude } from '../../../src/editor/excludedPaths';
import { formatLines } from '../../../src/editor/formatLines';
import { formatOpenEditors, type OpenEditor } from '../../../src/editor/formatOpenEditors';
import { formatSymbols, listSymbols } from '../../../src/editor/formatSymbols';
import { answer, ToolProblem } from '../../../src/editor/toolProblem';

const none = (): string => 'unused';

function tab(name: string, given: Partial<OpenEditor> = {}): OpenEditor {
  return { name, active: false, visible: false, dirty: false, ...given };
}

describe('a hierarchy', () => {
  it('that does not fit says how the rest is had', () => {
    const steps = (depth: number) =>
      Array.from({ length: 200 }, (_, line) => ({
        ...{ path: 'src/a.ts', line, column: 1, kind: 'function', calls: [] },
        ...{ name: `someFunctionOfALongName${line}`, depth: line < 100 ? 1 : depth },
      }));
    const last = (direction: 'callers' | 'subtypes', depth: number): string =>
      formatHierarchy(direction, 'it', steps(depth)).split('\n').at(-1) ?? '';
    assert.match(last('callers', 1), /^left: \d+ callers; references has all of their calls$/);
    assert.match(last('subtypes', 1), /; definition with kind=implementation has all$/);
    assert.match(last('callers', 2), /; give a smaller depth$/);
  });
});

describe('symbols', () => {
  it('puts the very name first, then its start, then a part, and the nearer of equals', () => {
    const names = ['recount', 'counter', 'Count', 'count', 'count'];
    const symbols = names.map((name, index) => ({
      name,
      kind: 11,
      path: `f${index}.ts`,
      line: 1,
      column: 1,
      nearness: 10 - index,
    }));
    assert.deepEqual(
      formatSymbols(listSymbols(symbols, 'count'), 0, none)
        .split('\n')
        .filter((line) => !line.startsWith(' ')),
      ['5 symbols in 5 files', 'f4.ts', 'f3.ts', 'f2.ts', 'f1.ts', 'f0.ts'],
    );
  });

  it('shows a hit without a place, and a kind that nobody knows', () => {
    const list = listSymbols([{ name: 'a\nb', kind: 99, path: 'x.ts', nearness: 0 }], 'a');
    assert.equal(formatSymbols(list, 0, none), '1 symbol in 1 file\nx.ts\n symbol a b');
  });
});

describe('open editors', () => {
  it('says that nothing is open, and still names unsaved documents without a tab', () => {
    assert.equal(formatOpenEditors([[]], []), 'no open editors');
    assert.equal(formatOpenEditors([], ['a.ts']), 'no open editors\nunsaved, without a tab: a.ts');
  });

  it('names ten unsaved documents without a tab, and counts the others, within the budget', () => {
    const hidden = Array.from({ length: 400 }, (_, i) => `${'deep/'.repeat(50)}file${i}.ts`);
    for (const group of [[], [tab('here.ts', { active: true, visible: true })]]) {
      const text = formatOpenEditors([group], hidden);
      assert.equal(text.match(/^unsaved, without a tab: deep/gm)?.length, 10);
      assert.match(text, /\nunsaved, without a tab: 390 more files$/);
    }
    const tabs = Array.from({ length: 500 }, (_, i) => tab(`src/some/folder/file${i}.ts`));
    assert.ok(formatOpenEditors([tabs], hidden).length <= 6_000);
  });

  it('names files as they are called, with several blanks in a row', () => {
    const names = ['two  blanks.ts', ' first.ts', 'last.ts '];
    const tabs = names.map((name) => ({ name, active: false, visible: false, dirty: false }));
    const text = formatOpenEditors([tabs], names);
    for (const name of names) {
      assert.ok(text.includes(`\n ${name}\n`), name);
      assert.ok(`${text}\n`.includes(`\nunsaved, without a tab: ${name}\n`), name);
    }
  });

  it('lists by group where there are several', () => {
    const groups = [
      [tab('a.ts', { active: true, visible: true, selection: { from: 3, to: 3 } })],
      [
        tab('b.ts', { visible: true, dirty: true, cursor: 7 }),
        tab('Settings', { kind: 'webview' }),
      ],
    ];
    assert.equal(
      formatOpenEditors(groups, []),
      [
        '3 open editors in 2 groups, 1 unsaved',
        'group 1',
        ' a.ts (active, selected in line 3)',
        'group 2',
        ' b.ts (visible, unsaved, cursor at line 7)',
        ' Settings (webview)',
      ].join('\n'),
    );
  });

  it('keeps to the budget with 500 tabs, the visible one first', () => {
    const group = Array.from({ length: 500 }, (_, i) => tab(`src/some/folder/file${i}.ts`));
    group.push(tab('here.ts', { active: true, visible: true }));
    const text = formatOpenEditors([group], []);
    assert.ok(text.length <= 6_000);
    assert.match(text, /^501 open editors, 0 unsaved\n here\.ts \(active\)\n/);
    assert.match(text, /\nleft: \d+ more editors$/);
  });
});

describe('lines', () => {
  it('cuts a line that would fill the answer', () => {
    const text = formatLines({
      path: 'a.js',
      lineCount: 1,
      disk: 'same',
      from: 1,
      to: 1,
      lineAt: () => 'x'.repeat(100_000),
    });
    assert.ok(text.length <= 2_100);
    assert.match(text, /^a\.js: lines 1-1 of 1, as on disk\n1\tx+…$/);
  });
});

describe('a hover', () => {
  it('keeps type arguments and all code of a doc, and loses HTML, links and escapes', () => {
    const docs: readonly (readonly [markdown: string, text: string])[] = [
      ['Gives a `Map<string, number>` by name.', 'Gives a `Map<string, number>` by name.'],
      [
        'A Promise<string> of Array<T>, if a <b and c> d',
        'A Promise<string> of Array<T>, if a <b and c> d',
      ],
      ['See `a[0](x)`, `<b>` and `\\*`.', 'See `a[0](x)`, `<b>` and `\\*`.'],
      ['Some <b>bold</b><br/>text <a href="x">here</a> \\<T\\>', 'Some boldtext here <T>'],
      ['[`Map<K>`](command:x) and ![p](y.png)[one *two*](z)', '`Map<K>` and one *two*'],
      ['a&nbsp;b\n\n---\n\nc', 'a b c'],
    ];
    for (const [markdown, text] of docs) assert.deepEqual(formatHover([markdown]), [text]);
  });

  it('reads a long one without a stall', () => {
    const started = performance.now();
    for (const part of ['`a` ', '[a', '<a b=c ', '`', '[`', '<a ', '![']) {
      formatHover([part.repeat(5_000)]);
    }
    assert.ok(performance.now() - started < 2_000);
  });
});

describe('excluded paths', () => {
  it('reads the globs that settings have', () => {
    const excluded = createExclude([
      '**/node_modules',
      '**/*.code-search',
      'dist/**',
      'a/{b,c}.ts',
      '[',
    ]);
    const paths = [
      'node_modules/x/i.d.ts',
      'p/node_modules/x.ts',
      'q.code-search',
      'dist/a/b.js',
      'a/c.ts',
    ];
    assert.deepEqual(paths.map(excluded), [true, true, true, true, true]);
    const kept = ['src/node_modules2/x.ts', 'distant/a.js', 'a/d.ts', 'x/dist/a.js'];
    assert.deepEqual(kept.map(excluded), [false, false, false, false]);
    const many = createExclude(Array.from({ length: 350 }, (_, n) => `gen${n}`));
    const paths350 = ['gen0/a', 'gen99', 'gen100/b', 'gen349/c', 'gen350', 'x/gen1'];
    assert.deepEqual(paths350.map(many), [true, true, true, true, false, false]);
    assert.equal(createExclude([])('a'), false);
  });
});

describe('calls that may never end', () => {
  const signal = new AbortController().signal;

  it('end by time-out, by Stop and by failure with a message for the model', async () => {
    const bounds = { timeoutMs: 30, signal, who: 'The language server' };
    await assert.rejects(
      boundedCall(() => new Promise<never>(() => undefined), bounds),
      /^ToolProblem: The language server did not answer in 0 s/,
    );
    const stopped = AbortSignal.abort();
    await assert.rejects(
      boundedCall(() => new Promise<never>(() => undefined), { ...bounds, signal: stopped }),
      /Stopped/,
    );
    await assert.rejects(
      boundedCall(() => Promise.reject(new Error('boom')), bounds),
      /The language server failed: boom/,
    );
  });

  it('give their fault as an answer; any other error is thrown on', async () => {
    const given = await answer(() => Promise.reject(new ToolProblem('no')));
    assert.ok(given instanceof ToolProblem);
    await assert.rejects(
      answer(() => Promise.reject(new TypeError('bug'))),
      TypeError,
    );
  });
});

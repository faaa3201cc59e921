import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChangedFile, formatUserChanges } from '../../../src/editor/formatUserChanges';

const lines = (count: number, mark = ''): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}${mark}\n`).join('');

function file(path: string, before: string, after: string): ChangedFile {
  return { path, changes: [{ before, after }], isUnsaved: false };
}

describe('what the person edited, as text', () => {
  it('is a unified diff of each file with the counts of all first', () => {
    const { text, told } = formatUserChanges(
      [
        {
          ...file('src/a.ts', 'one\ntwo\nthree\nfour\n', 'one\n2\nthree\nfour\n'),
          isUnsaved: true,
        },
        file('src/b.ts', 'x\r\ny\r\n', 'x\r\ny\r\nz\r\n'),
      ],
      { full: false, notes: ['(1 left out: kept back by a rule or setting, or outside)'] },
    );
    assert.equal(
      text,
      [
        '2 files edited by the person since the last turn: +2 -1',
        'src/a.ts (unsaved)',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '+2',
        ' three',
        'src/b.ts',
        '@@ -2,1 +2,2 @@',
        ' y',
        '+z',
        '(1 left out: kept back by a rule or setting, or outside)',
      ].join('\n'),
    );
    assert.deepEqual(
      told.map(({ path }) => path),
      ['src/a.ts', 'src/b.ts'],
    );
    assert.ok(told.every(({ bytes }) => bytes > 20));
  });

  it('says so where there is nothing', () => {
    const { text, told } = formatUserChanges([], { full: false, notes: [] });
    assert.equal(text, 'no edits of the person since the last turn');
    assert.deepEqual(told, []);
  });

  it('shows changes between which others wrote one after the other', () => {
    const changes = [
      { before: 'a\n', after: 'b\n' },
      { before: 'other\n', after: 'other\nmore\n' },
    ];
    const { text } = formatUserChanges([{ path: 'a.txt', changes, isUnsaved: false }], {
      full: false,
      notes: [],
    });
    assert.match(text, /^1 file .*: \+2 -1\na\.txt\n@@ -1,1 \+1,1 @@\n-a\n\+b\n@@ -1,1 /);
  });

  it('B4: keeps to 6,000 characters, 16,000 for one file, and counts what is left', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      file(`src/folder/file${index}.ts`, lines(400), lines(400, ' and more of it')),
    );
    const { text, told } = formatUserChanges(many, { full: false, notes: [] });
    assert.ok(text.length <= 6_000, `${text.length}`);
    assert.match(text, /^60 files edited by the person since the last turn: \+24000 -24000\n/);
    assert.match(text, /\(\d+ more lines: give path, or read_buffer\)/);
    assert.match(text, /\nleft: \d+ files: src\/folder\/file\d+\.ts \+400 -400, /);
    const named = many.map(({ path }) => path).filter((path) => text.includes(`${path} +`));
    assert.ok(named.length >= 2, 'some are only counted');
    const bare = told.filter(({ bytes }) => bytes === 0).map(({ path }) => path);
    assert.deepEqual(bare, named, 'what is named is told of, whether its lines are shown or not');
    assert.ok(told.length > named.length);
    const full = formatUserChanges(many.slice(0, 1), { full: true, notes: [] }).text;
    assert.ok(full.length > 10_000 && full.length <= 16_000, `${full.length}`);
  });

  it('bounds the search for the shortest diff, and lines that are too long', () => {
    const before = Array.from({ length: 5_000 }, (_, index) => `${index}`).join('\n');
    const after = Array.from({ length: 5_000 }, (_, index) => `${index}x`).join('\n');
    const { text } = formatUserChanges(
      [file('big.txt', before, after), file('min.js', 'a', 'b'.repeat(50_000))],
      { full: false, notes: [] },
    );
    assert.match(text, /big\.txt\n\(so much was changed that no diff is shown\)/);
    assert.match(text, /\n\+b{150,160}…/);
    assert.ok(text.length < 1_000);
  });

  it('counts the lines of a change that is too large to be shown', () => {
    const before = `head\n${lines(1_500, ' old')}tail\n`;
    const after = `head\n${lines(1_200, ' new')}tail\n`;
    const { text } = formatUserChanges([file('a.ts', before, after)], { full: false, notes: [] });
    assert.match(text, /^1 file .*: \+1200 -1500\na\.ts\n\(so much was changed/);
  });

  it('says of which file something is not known, and never that nothing was edited', () => {
    const large = { ...file('big.txt', '', ''), changes: [], gap: 'edited; not followed' };
    const alone = formatUserChanges([large], { full: false, notes: [] });
    assert.equal(
      alone.text,
      '1 file edited by the person since the last turn: not counted\nbig.txt\n(edited; not followed)',
    );
    assert.deepEqual(
      alone.told.map(({ path }) => path),
      ['big.txt'],
    );
    const cut = { ...file('a.ts', 'a\n', 'b\n'), gap: 'older edits are no longer known' };
    const { text } = formatUserChanges([cut, large], { full: false, notes: [] });
    assert.match(text, /^2 files .*: \+1 -1 and more\na\.ts\n\(older edits .*\)\n@@ /);
  });
});

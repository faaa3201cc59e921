import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatReferences } from '../../../src/editor/formatReferences';
import { cursor, dataR, LINE, listOf, pages, readLine } from './referenceData';

describe('a list of references', () => {
  it('B6: of 200 in 30 files takes at most 5,200 characters', async () => {
    assert.equal(LINE.length, 77);
    assert.equal(dataR().flatMap(({ places }) => places).length, 200);
    const [first] = await pages(dataR());
    assert.ok(first!.length <= 5_200, `${first!.length} characters`);
    assert.match(first!, /^200 references to 'computeOrderTotals' in 30 files\n/);
    assert.match(first!, /\nleft: \d+ in \d+ files\nnext: cursor=r1\.\d+$/);
  });

  it('B6: of 200 is whole after four more calls, each place once', async () => {
    const texts = await pages(dataR());
    assert.ok(texts.length <= 5, `${texts.length} pages`);
    const seen: string[] = [];
    for (const text of texts) {
      assert.ok(text.length <= 5_200);
      let path = '';
      for (const line of text.split('\n').slice(1)) {
        const place = /^ (\d+:\d+) /.exec(line)?.[1];
        if (place === undefined) path = line;
        else seen.push(`${path} ${place}`);
      }
    }
    const expected = dataR().flatMap(({ path, places }) =>
      places.map(({ line, column }) => `${path} ${line}:${column}`),
    );
    assert.deepEqual(seen.sort(), expected.sort());
  });

  it('has the file of the declaration first, the mark at its line, then the nearest', async () => {
    const [first] = await pages(dataR());
    const lines = first!.split('\n');
    assert.match(lines[1]!, /Row07\.tsx$/);
    assert.match(lines[2]!, /^ 11:5 declaration: const orderTotals = /);
    assert.match(lines[9]!, /Row00\.tsx$/);
    assert.equal(first!.match(/declaration/g)?.length, 1);
  });

  it('reads only the lines that it shows, and few more', async () => {
    let reads = 0;
    const list = listOf(
      Array.from({ length: 200 }, (_, file) => ({ ...dataR()[0]!, path: `src/file${file}.ts` })),
      'x',
    );
    await formatReferences(list, 0, (path, line) => {
      reads += 1;
      return readLine(path, line);
    });
    assert.ok(reads < 70, `${reads} lines were read`);
  });

  it('gives a place without its line where the file cannot be read, and moves one past the end', async () => {
    const places = [3, 90].map((line) => ({ line, column: 7, isDeclaration: false }));
    const files = [
      { path: 'a.ts', nearness: 0, places },
      { path: 'gone.ts', nearness: 1, places },
    ];
    const list = listOf(files, '');
    const { text, paths } = await formatReferences(list, 0, (path, line) =>
      Promise.resolve(
        path === 'a.ts'
          ? { text: line === 3 ? `  ${'x'.repeat(300)}` : undefined, lineCount: 12 }
          : undefined,
      ),
    );
    assert.equal(
      text,
      [
        '4 references in 2 files',
        'a.ts',
        ` 3:7 ${'x'.repeat(99)}…`,
        ' 12:1 (reported at line 90)',
        'gone.ts',
        ' 3:7',
        ' 90:7',
      ].join('\n'),
    );
    assert.deepEqual(paths, ['a.ts', 'gone.ts']);
  });

  it('B4: takes at most 6,000 characters, whatever stands before it', async () => {
    const notes = [
      'signature '.repeat(40),
      'doc '.repeat(75),
      ...Array.from({ length: 3 }, () => 'x'.repeat(300)),
    ];
    const { text } = await formatReferences(listOf(dataR(), 'y'), 0, readLine, { cursor, notes });
    assert.ok(text.length <= 6_000, `${text.length} characters`);
    assert.match(text, /\nleft: \d+ in \d+ files\nnext: cursor=r1\.\d+$/);
    assert.ok(text.includes(notes.join('\n')));
  });

  it('of 20,000 is paged without a stall', async () => {
    const files = Array.from({ length: 400 }, (_, file) => ({
      path: `src/many/file${file}.ts`,
      nearness: file % 5,
      places: Array.from({ length: 50 }, (_, line) => ({ line, column: 1, isDeclaration: false })),
    }));
    const list = listOf(files, 'x');
    const { text } = await formatReferences(list, 19_990, readLine, { cursor });
    assert.match(text, /^20000 references to 'x' in 400 files\n/);
    assert.doesNotMatch(text, /next:/);
  });
});

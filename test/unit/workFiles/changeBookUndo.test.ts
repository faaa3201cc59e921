import assert from 'node:assert/strict';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { diskHand } from '../../harness/diskHand';
import { changeRoom } from './changeRoom';

test('what stands in the place of another goes first, in whatever order they came', async (t) => {
  for (const order of ['made there', 'moved there', 'deleted there']) {
    const { book, call, write, read, rows, undo, at } = await changeRoom(t);
    const move = (from: string, to: string): Promise<void> =>
      call([from, to], async () => {
        await rename(at(from), at(to));
        await book.moved(at(from), at(to));
      });
    await write('a.ts', 'A\n');
    await write('c.ts', 'C\n');
    if (order === 'deleted there') await call(['a.ts'], () => rm(at('a.ts')));
    else await move('a.ts', 'b.ts');
    if (order === 'made there') await call(['a.ts'], () => write('a.ts', 'new\n'));
    else await move('c.ts', 'a.ts');
    await undo();
    assert.deepEqual(rows(), [], order);
    const found = [await read('a.ts'), await read('b.ts'), await read('c.ts')];
    assert.deepEqual(found, ['A\n', undefined, 'C\n'], order);
    // The other way round it can be had again.
    await book.redo(book.undone?.id ?? '');
    assert.equal(book.undone, undefined, order);
    assert.equal(await read('a.ts'), order === 'made there' ? 'new\n' : 'C\n', order);
  }
});

test('a file comes back for those who could read and run it', async (t) => {
  if (process.platform === 'win32') return;
  const { book, call, write, undo, at } = await changeRoom(t);
  const modeOf = async (name: string): Promise<number> => (await stat(at(name))).mode & 0o777;
  const modes = { 'run.sh': 0o755, 'key.bin': 0o600 } as const;
  for (const [name, mode] of Object.entries(modes)) {
    await write(name, name === 'key.bin' ? 'a\0b' : '#!/bin/sh\n');
    await chmod(at(name), mode);
  }
  await call(['run.sh', 'key.bin', 'made.sh'], async () => {
    for (const name of Object.keys(modes)) await rm(at(name));
    await write('made.sh', 'x\n');
    await chmod(at('made.sh'), 0o700);
  });
  await undo();
  for (const [name, mode] of Object.entries(modes)) assert.equal(await modeOf(name), mode, name);
  await book.redo(book.undone?.id ?? '');
  assert.equal(await modeOf('made.sh'), 0o700);
});

test('what was undone is had again where the person has moved it', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('src/a.ts', '1\n2\n3\n4\n5\n');
  await call(['src/a.ts'], () => write('src/a.ts', '1\ntwo\n3\n4\n5\n'));
  await undo();
  await rename(at('src'), at('lib'));
  await book.moved(at('src'), at('lib'));
  await book.redo(book.undone?.id ?? '');
  assert.equal(await read('lib/a.ts'), '1\ntwo\n3\n4\n5\n');
  assert.deepEqual(rows(), ['lib/a.ts edited +1 -1']);
});

test('two files that the agent gave each other’s names have their own again, and once more', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('a.ts', 'A\n');
  await write('b.ts', 'B\n');
  for (const [from, to] of [
    ['a.ts', 'c.ts'],
    ['b.ts', 'a.ts'],
    ['c.ts', 'b.ts'],
  ] as const) {
    await call([from, to], async () => {
      await rename(at(from), at(to));
      await book.moved(at(from), at(to));
    });
  }
  const both = async () => [await read('a.ts'), await read('b.ts')];
  await undo();
  assert.deepEqual([await both(), rows()], [['A\n', 'B\n'], []]);
  await book.redo(book.undone?.id ?? '');
  assert.deepEqual([await both(), book.undone], [['B\n', 'A\n'], undefined]);
  assert.deepEqual(rows(), ['a.ts moved from b.ts +0 -0', 'b.ts moved from a.ts +0 -0']);
  // The same within a folder that was moved after it, into which something came anew.
  await write('src/x.ts', 'X\n');
  await write('src/y.ts', 'Y\n');
  for (const [from, to] of [
    ['src/x.ts', 'src/z.ts'],
    ['src/y.ts', 'src/x.ts'],
    ['src/z.ts', 'src/y.ts'],
    ['src', 'lib'],
  ] as const) {
    await call([from, to, 'src/x.ts', 'src/y.ts'], async () => {
      await rename(at(from), at(to));
      await book.moved(at(from), at(to));
    });
  }
  await call(['src/new.ts'], () => write('src/new.ts', 'new\n'));
  await undo();
  assert.deepEqual([await read('src/x.ts'), await read('src/y.ts'), rows()], ['X\n', 'Y\n', []]);
  await book.redo(book.undone?.id ?? '');
  assert.equal(book.undone, undefined);
  assert.deepEqual(
    [await read('lib/x.ts'), await read('lib/y.ts'), await read('src/new.ts')],
    ['Y\n', 'X\n', 'new\n'],
  );
  // Where one of the two cannot go back both stay where they are, and nothing is left beside them.
  await call(['a.ts'], () => write('a.ts', 'agent\n'));
  await write('a.ts', 'person\n');
  await undo();
  assert.deepEqual(await both(), ['person\n', 'A\n']);
  assert.deepEqual((await readdir(at(''))).sort(), ['a.ts', 'b.ts', 'src']);
});

test('where the disk takes two cases of a name for one, a name goes back to its case', async (t) => {
  const folded = (file: string): string => path.join(path.dirname(file), 'view.ts');
  const hand = {
    see: (file: string) => diskHand.see(/view\.ts$/i.test(file) ? folded(file) : file),
  };
  const { book, call, write, rows, undo, at } = await changeRoom(t, {
    ...hand,
    move: () => Promise.resolve(),
    keyOf: (file) => Promise.resolve(file.toLowerCase()),
  });
  await write('view.ts', 'x\n');
  await call(['view.ts', 'View.ts'], () => book.moved(at('view.ts'), at('View.ts')));
  assert.deepEqual(rows(), ['View.ts moved from view.ts +0 -0']);
  await undo();
  assert.deepEqual(rows(), []);
});

test('a folder that was made anew in the place of a moved one is in the way only while it holds something', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('src/a.ts', 'A\n');
  await call(['src', 'lib', 'src/a.ts'], async () => {
    await rename(at('src'), at('lib'));
    await book.moved(at('src'), at('lib'));
  });
  await call(['src/a.ts'], () => write('src/a.ts', 'made\n'));
  await write('src/persons.ts', 'P\n');
  await undo();
  assert.deepEqual(rows(), ['lib moved from src +0 -0 (placeTaken)']);
  assert.deepEqual([await read('src/persons.ts'), await read('lib/a.ts')], ['P\n', 'A\n']);
  await rm(at('src/persons.ts'));
  await undo();
  assert.deepEqual([await read('src/a.ts'), rows()], ['A\n', []]);
});

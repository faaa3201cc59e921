import assert from 'node:assert/strict';
import { rename, rm, stat, symlink, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { SeenFile } from '../../../src/workFiles/seenFile';
import { changeRoom, storeOf } from './changeRoom';

const TEXT = '1\n2\n3\n4\n5\n';

test('a file that a call changed is listed, and goes back to what it was', async (t) => {
  const { call, write, read, rows, undo } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n3\n4\n5\n6\n'));
  assert.deepEqual(rows(), ['a.ts edited +2 -1']);
  // A later call adds to what is undone.
  await call(['a.ts'], () => write('a.ts', 'one\ntwo\n3\n4\n5\n6\n'));
  assert.deepEqual(rows(), ['a.ts edited +3 -2']);
  await undo();
  assert.deepEqual([await read('a.ts'), rows()], [TEXT, []]);
});

test('a call that changes nothing leaves no row: denied, failed, or writing what was there', async (t) => {
  const { call, write, rows, book } = await changeRoom(t);
  await write('a.ts', TEXT);
  let told = 0;
  book.onDidChange(() => (told += 1));
  await call(['a.ts', 'never.ts'], () => Promise.resolve());
  await call(['a.ts'], () => write('a.ts', TEXT));
  assert.deepEqual([rows(), told], [[], 0]);
});

test('what the agent takes back itself is listed no more', async (t) => {
  const { call, write, rows } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\n'));
  await call(['a.ts'], () => write('a.ts', TEXT));
  assert.deepEqual(rows(), []);
});

test('a file that the agent made goes, one that it deleted comes back byte for byte', async (t) => {
  const { call, write, read, rows, undo, at } = await changeRoom(t);
  const bytes = Buffer.from('\uFEFFa\r\nb\nc', 'utf8');
  await write('old.txt', '');
  await writeFile(at('old.txt'), bytes);
  await call(['old.txt', 'deep/new.ts'], async () => {
    await rm(at('old.txt'));
    await write('deep/new.ts', 'x\n');
  });
  assert.deepEqual(rows(), ['old.txt deleted +0 -3', 'deep/new.ts created +1 -0']);
  await undo();
  assert.deepEqual(await readFile(at('old.txt')), bytes);
  assert.equal(await read('deep/new.ts'), undefined);
});

test('Keep takes the row away, and what is there then is what the next Undo leads to', async (t) => {
  const { call, write, read, rows, ids, book, undo } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\n'));
  await book.keep(ids());
  assert.deepEqual([await read('a.ts'), rows()], ['1\n', []]);
  await call(['a.ts'], () => write('a.ts', '1\n2\n'));
  assert.deepEqual(rows(), ['a.ts edited +1 -0']);
  await undo();
  assert.equal(await read('a.ts'), '1\n');
});

test("the person's lines are kept: before, between and after the agent's edits", async (t) => {
  const { call, write, read, rows, undo } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n3\n4\n5\n'));
  await write('a.ts', '1\ntwo\n3\n4\n5\nbetween\n');
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n3\nfour\n5\nbetween\n'));
  assert.deepEqual(rows(), ['a.ts edited +2 -2'], "the person's line is not the agent's");
  await write('a.ts', 'after\n1\ntwo\n3\nfour\n5\nbetween\n');
  await undo();
  assert.deepEqual([await read('a.ts'), rows()], ['after\n1\n2\n3\n4\n5\nbetween\n', []]);
});

test('what was typed while a call waited for its permission is not of the call', async (t) => {
  const { book, at, write, read, undo } = await changeRoom(t);
  await write('a.ts', TEXT);
  await book.willWrite('call', [at('a.ts')]);
  await write('a.ts', `typed\n${TEXT}`);
  await book.willWrite('call', [at('a.ts')]);
  await write('a.ts', `typed\n${TEXT}agent\n`);
  await book.didWrite('call');
  await undo();
  assert.equal(await read('a.ts'), `typed\n${TEXT}`);
});

test('where both have changed the same lines nothing is changed, and the row says so', async (t) => {
  const { call, write, read, rows, undo, book, ids } = await changeRoom(t);
  await write('a.ts', TEXT);
  await write('b.ts', TEXT);
  await call(['a.ts', 'b.ts'], async () => {
    await write('a.ts', '1\ntwo\n3\n4\n5\n');
    await write('b.ts', '1\n');
  });
  await write('a.ts', '1\ntwo, and mine\n3\n4\n5\n');
  await undo();
  assert.equal(await read('a.ts'), '1\ntwo, and mine\n3\n4\n5\n');
  assert.deepEqual(rows(), ['a.ts edited +1 -1 (overlap)'], 'what could be undone is');
  assert.equal(await read('b.ts'), TEXT);
  // The person takes their own words back: nothing stands in the way any more.
  await write('a.ts', '1\ntwo\n3\n4\n5\n');
  await book.undo(ids());
  assert.deepEqual([await read('a.ts'), rows()], [TEXT, []]);
});

test('lines of the agent that the person changed between two edits cannot be told apart', async (t) => {
  const { call, write, read, rows, undo, book, ids } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n3\n4\n5\n'));
  await write('a.ts', '1\nmine\n3\n4\n5\n');
  await call(['a.ts'], () => write('a.ts', '1\nmine\n3\n4\nfive\n'));
  await undo();
  assert.equal(await read('a.ts'), '1\nmine\n3\n4\nfive\n');
  assert.deepEqual(rows(), ['a.ts edited +2 -2 (overlap)']);
  await book.keep(ids());
  await call(['a.ts'], () => write('a.ts', '1\n'));
  await undo();
  assert.equal(await read('a.ts'), '1\nmine\n3\n4\nfive\n', 'Keep begins anew');
});

test('what the person has made of a file that came, went or was deleted is left as it is', async (t) => {
  const { call, write, read, rows, undo, at } = await changeRoom(t);
  await write('deleted.ts', TEXT);
  await write('gone.ts', TEXT);
  await call(['new.ts', 'deleted.ts', 'gone.ts', 'newGone.ts'], async () => {
    await write('new.ts', 'x\n');
    await rm(at('deleted.ts'));
    await write('gone.ts', '1\n');
    await write('newGone.ts', 'x\n');
  });
  await write('new.ts', 'x\nmine\n');
  await write('deleted.ts', 'mine\n');
  await rm(at('gone.ts'));
  await rm(at('newGone.ts'));
  await undo();
  assert.deepEqual(rows(), [
    'new.ts created +1 -0 (changedNew)',
    'deleted.ts deleted +0 -5 (exists)',
    'gone.ts edited +0 -4 (gone)',
  ]);
  assert.deepEqual(
    [await read('new.ts'), await read('deleted.ts'), await read('gone.ts')],
    ['x\nmine\n', 'mine\n', undefined],
  );
});

test('line ends go back with the text, and stay where only others have changed them', async (t) => {
  const { call, write, read, rows, undo } = await changeRoom(t);
  await write('a.ts', '1\r\n2\r\n');
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n'));
  await undo();
  assert.equal(await read('a.ts'), '1\r\n2\r\n');
  await call(['a.ts'], () => write('a.ts', '1\n2\n'));
  assert.deepEqual(rows(), ['a.ts edited +0 -0'], 'line ends alone are a change');
  await undo();
  assert.equal(await read('a.ts'), '1\r\n2\r\n');
});

test('binary and large files are listed; a binary one goes back where it is as the agent left it', async (t) => {
  const { call, write, rows, undo, at } = await changeRoom(t);
  const old = Buffer.from([1, 0, 2]);
  for (const name of ['a.bin', 'b.bin']) await writeFile(at(name), old);
  await write('large.txt', 'x'.repeat(5 * 1024 * 1024 + 1));
  await call(['a.bin', 'b.bin', 'large.txt'], async () => {
    await writeFile(at('a.bin'), Buffer.from([0, 3]));
    await writeFile(at('b.bin'), Buffer.from([0, 3]));
    await write('large.txt', 'y'.repeat(5 * 1024 * 1024 + 2));
  });
  await writeFile(at('b.bin'), Buffer.from([0, 4]));
  await undo();
  assert.deepEqual(rows(), ['b.bin edited +0 -0 (changed)', 'large.txt edited +0 -0 (large)']);
  assert.deepEqual(await readFile(at('a.bin')), old);
  assert.equal((await stat(at('large.txt'))).size, 5 * 1024 * 1024 + 2);
});

test('a moved file goes back to its place, with what the person wrote in it since', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts', 'b.ts'], async () => {
    await rename(at('a.ts'), at('b.ts'));
    await book.moved(at('a.ts'), at('b.ts'));
  });
  assert.deepEqual(rows(), ['b.ts moved from a.ts +0 -0']);
  await call(['b.ts'], () => write('b.ts', '1\n2\nagent\n3\n4\n5\n'));
  await write('b.ts', '1\n2\nagent\n3\n4\n5\nmine\n');
  assert.deepEqual(rows(), ['b.ts moved from a.ts +1 -0']);
  await undo();
  assert.deepEqual([await read('b.ts'), await read('a.ts')], [undefined, `${TEXT}mine\n`]);
});

test('a moved file stays where its old place is taken, and a move there and back is none', async (t) => {
  const { book, call, write, rows, undo, at, read } = await changeRoom(t);
  await write('a.ts', TEXT);
  const move = (from: string, to: string) =>
    call([from, to], async () => {
      await rename(at(from), at(to));
      await book.moved(at(from), at(to));
    });
  await move('a.ts', 'b.ts');
  await write('a.ts', 'mine\n');
  await undo();
  assert.deepEqual(rows(), ['b.ts moved from a.ts +0 -0 (placeTaken)']);
  assert.equal(await read('a.ts'), 'mine\n');
  await rm(at('a.ts'));
  await move('b.ts', 'a.ts');
  assert.deepEqual(rows(), []);
});

test('a moved folder is one row, and what was changed in it follows', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('src/a.ts', TEXT);
  await write('src/deep/b.ts', TEXT);
  await call(['src/a.ts'], () => write('src/a.ts', '1\n'));
  await call(['src', 'lib', 'src/a.ts', 'src/deep/b.ts'], async () => {
    await rename(at('src'), at('lib'));
    await book.moved(at('src'), at('lib'));
  });
  assert.deepEqual(rows(), ['lib/a.ts edited +0 -4', 'lib moved from src +0 -0']);
  await undo();
  assert.deepEqual([await read('src/a.ts'), await read('src/deep/b.ts')], [TEXT, TEXT]);
  assert.deepEqual(rows(), []);
});

test('a file that the person moves is followed to where it is', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('src/a.ts', TEXT);
  await call(['src/a.ts'], () => write('src/a.ts', '1\n'));
  await rename(at('src'), at('lib'));
  await book.moved(at('src'), at('lib'));
  assert.deepEqual(rows(), ['lib/a.ts edited +0 -4']);
  await undo();
  assert.equal(await read('lib/a.ts'), TEXT);
});

test('a folder that is moved by another way than its files were named by takes them along', async (t) => {
  for (const [link, target] of [
    ['shortcut', 'real'],
    ['deep link', 'real/src'],
  ] as const) {
    const { book, call, write, read, rows, undo, at } = await changeRoom(t);
    await write('real/src/a.ts', TEXT);
    await symlink(at(target), at(link));
    const name = link === 'shortcut' ? 'shortcut/src/a.ts' : 'deep link/a.ts';
    await call([name], () => write(name, '1\n'));
    await rename(at('real'), at('new'));
    await book.moved(at('real'), at('new'));
    assert.deepEqual(rows(), ['new/src/a.ts edited +0 -4']);
    await undo();
    assert.equal(await read('new/src/a.ts'), TEXT);
  }
});

test('a file that a running call may be writing is left alone, and others are not', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('a.ts', TEXT);
  await write('b.ts', TEXT);
  await call(['a.ts', 'b.ts'], async () => {
    await write('a.ts', '1\n');
    await write('b.ts', '1\n');
  });
  await book.willWrite('running', [at('a.ts')]);
  await undo();
  assert.deepEqual(rows(), ['a.ts edited +0 -4 (busy)']);
  assert.deepEqual([await read('a.ts'), await read('b.ts')], ['1\n', TEXT]);
  await book.settle();
  await undo();
  assert.equal(await read('a.ts'), TEXT);
});

test('two calls on one file are one change, whichever ends first', async (t) => {
  const { book, write, rows, at, undo, read } = await changeRoom(t);
  await write('a.ts', TEXT);
  await book.willWrite('one', [at('a.ts')]);
  await book.willWrite('two', [at('a.ts')]);
  await write('a.ts', 'one\n2\n3\n4\n5\n');
  await book.didWrite('one');
  await write('a.ts', 'one\n2\n3\n4\nfive\n');
  await book.didWrite('two');
  assert.deepEqual(rows(), ['a.ts edited +2 -2']);
  await undo();
  assert.equal(await read('a.ts'), TEXT);
});

test('one file by two ways is one row', async (t) => {
  const { call, write, rows, at } = await changeRoom(t);
  await write('real/a.ts', TEXT);
  await symlink(at('real'), at('link'), 'junction');
  await call(['real/a.ts', 'link/a.ts'], () => write('real/a.ts', '1\n'));
  await call(['link/a.ts'], () => write('link/a.ts', '2\n'));
  assert.deepEqual(rows(), ['real/a.ts edited +0 -4']);
});

test('what was undone can be had again, with what the person wrote since', async (t) => {
  const { book, call, write, read, rows, undo, at } = await changeRoom(t);
  await write('a.ts', TEXT);
  await write('gone.ts', TEXT);
  await write('old.ts', TEXT);
  await call(['a.ts', 'gone.ts', 'new.ts'], async () => {
    await write('a.ts', '1\ntwo\n3\n4\n5\n');
    await rm(at('gone.ts'));
    await write('new.ts', 'x\n');
  });
  await call(['old.ts', 'moved.ts'], async () => {
    await rename(at('old.ts'), at('moved.ts'));
    await book.moved(at('old.ts'), at('moved.ts'));
  });
  const before = [...rows()].sort();
  await undo();
  assert.deepEqual(rows(), []);
  const { id = '', paths = [] } = book.undone ?? {};
  assert.equal(paths.length, 4);
  await write('a.ts', `${TEXT}mine\n`);
  await book.redo(id);
  assert.deepEqual([...rows()].sort(), before);
  assert.equal(book.undone, undefined);
  assert.equal(await read('a.ts'), '1\ntwo\n3\n4\n5\nmine\n');
  assert.deepEqual(
    [await read('gone.ts'), await read('new.ts'), await read('moved.ts')],
    [undefined, 'x\n', TEXT],
  );
  await undo();
  assert.equal(await read('a.ts'), `${TEXT}mine\n`);
  assert.deepEqual([await read('new.ts'), await read('old.ts')], [undefined, TEXT]);
});

test('what cannot be had again stays to be had, with the reason', async (t) => {
  const { book, call, write, read, undo } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\ntwo\n3\n4\n5\n'));
  await undo();
  await write('a.ts', '1\nmine\n3\n4\n5\n');
  const id = book.undone?.id ?? '';
  await book.redo(id);
  assert.equal(await read('a.ts'), '1\nmine\n3\n4\n5\n');
  const { undone } = book;
  assert.deepEqual([undone?.id, undone?.problem?.kind], [id, 'overlap']);
  await book.forgetUndone();
  assert.equal(book.undone, undefined);
});

test('a change that the system refuses stays listed with its words, and the others are undone', async (t) => {
  const trash = (): Promise<void> => Promise.reject(new Error('no trash here'));
  const { call, write, read, rows, undo, book } = await changeRoom(t, { trash });
  await write('a.ts', TEXT);
  await call(['a.ts', 'new.ts'], async () => {
    await write('a.ts', '1\n');
    await write('new.ts', 'x\n');
  });
  await undo();
  assert.deepEqual(rows(), ['new.ts created +1 -0 (failed)']);
  assert.equal(book.entries[0]?.problem?.detail, 'no trash here');
  assert.equal(await read('a.ts'), TEXT);
});

test('somebody who types all the time is not written over', async (t) => {
  const rewrite = (): Promise<boolean> => Promise.resolve(false);
  const { call, write, rows, undo } = await changeRoom(t, { rewrite });
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', '1\n'));
  await undo();
  assert.deepEqual(rows(), ['a.ts edited +0 -4 (changing)']);
});

test('where too much would be kept a file is listed and cannot be undone', async (t) => {
  const { call, write, read, rows, undo } = await changeRoom(t, {}, storeOf(100));
  await write('a.ts', 'a'.repeat(80));
  await write('b.ts', TEXT);
  await call(['a.ts', 'b.ts'], async () => {
    await write('a.ts', 'b'.repeat(80));
    await write('b.ts', '1\n');
  });
  await undo();
  assert.deepEqual(rows(), ['a.ts edited +0 -0 (full)']);
  assert.deepEqual([await read('a.ts'), await read('b.ts')], ['b'.repeat(80), TEXT]);
});

test('what was brought back beside a new change of the file is one row with it', async (t) => {
  const { call, write, read, rows, undo, book } = await changeRoom(t);
  await write('a.ts', TEXT);
  await call(['a.ts'], () => write('a.ts', 'one\n2\n3\n4\n5\n'));
  await undo();
  await call(['a.ts'], () => write('a.ts', '1\n2\n3\n4\nfive\n'));
  await book.redo(book.undone?.id ?? '');
  assert.equal(await read('a.ts'), 'one\n2\n3\n4\nfive\n');
  assert.deepEqual(rows(), ['a.ts edited +2 -2']);
  await undo();
  assert.deepEqual([await read('a.ts'), rows()], [TEXT, []]);
});

test('unsaved text of which too much would be kept is not said to be undone', async (t) => {
  let typed = 'typed by the person';
  const see = (): Promise<SeenFile> => Promise.resolve({ kind: 'text', text: typed, crlf: false });
  const { call, rows, undo } = await changeRoom(t, { see }, storeOf(10));
  await call(['a.ts'], () => {
    typed = 'changed by the agent';
    return Promise.resolve();
  });
  await undo();
  assert.deepEqual(rows(), ['a.ts edited +0 -0 (full)']);
});

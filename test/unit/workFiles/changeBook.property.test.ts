import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ChangeRoom, changeRoom } from './changeRoom';

test('any edits of agent and person in turn: an Undo that succeeds keeps every line of the person', async (t) => {
  const room = await changeRoom(t);
  const step = fc.record({
    who: fc.constantFrom('agent', 'person'),
    at: fc.integer({ min: 0, max: 12 }),
    kind: fc.constantFrom('add', 'change', 'remove'),
  });
  const textOf = async (): Promise<string> => (await room.read('p.ts')) ?? '';
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      await room.book.keep(room.ids());
      let count = 0;
      let lines = Array.from({ length: 10 }, (_, n) => `line ${n}`);
      await room.write('p.ts', lines.join('\n'));
      for (const { who, at, kind } of steps) {
        const next = [...lines];
        const put = kind === 'remove' ? [] : [`${who} ${(count += 1)}`];
        next.splice(Math.min(at, next.length), kind === 'add' ? 0 : 1, ...put);
        lines = next;
        const write = (): Promise<void> => room.write('p.ts', next.join('\n'));
        await (who === 'agent' ? room.call(['p.ts'], write) : write());
      }
      const before = await textOf();
      const persons = before.split('\n').filter((line) => line.startsWith('person'));
      await room.undo();
      const after = (await textOf()).split('\n');
      if (room.rows().length > 0) {
        assert.equal(after.join('\n'), before, 'nothing is changed where it is refused');
        return;
      }
      undone += 1;
      for (const line of persons) assert.ok(after.includes(line), `${line} is lost`);
      assert.deepEqual(
        after.filter((line) => line.startsWith('agent')),
        [],
        'nothing of the agent is left',
      );
    }),
    { numRuns: 150 },
  );
  assert.ok(undone > 50, `${undone} of the runs could be undone`);
});

interface Step {
  /** The person only moves. */
  readonly who: 'agent' | 'person';
  readonly kind: 'edit' | 'create' | 'delete' | 'move' | 'moveFolder';
  readonly what: number;
  readonly where: number;
}

const NAMES = ['a', 'd/b', 'd/c', 'd/f', 'e', 'g/h'];
const FOLDERS = ['d', 'g', 'k', 'm'];
const stepOf = (...who: Step['who'][]): fc.Arbitrary<Step> =>
  fc.record({
    who: fc.constantFrom(...who),
    kind: fc.constantFrom('edit', 'edit', 'create', 'delete', 'move', 'move', 'moveFolder'),
    what: fc.nat(20),
    where: fc.nat(20),
  });

/** A folder goes, another one is made in its place, goes as well, and what was in it goes back first. */
const EMPTIED: Step[] = [
  { who: 'agent', kind: 'moveFolder', what: 0, where: 2 },
  { who: 'agent', kind: 'move', what: 0, where: 1 },
  { who: 'agent', kind: 'moveFolder', what: 0, where: 1 },
];

/** A folder that the agent has made comes to the place of another, and is empty when that goes back. */
const CLEARED: Step[] = [
  { who: 'agent', kind: 'create', what: 0, where: 5 },
  { who: 'agent', kind: 'moveFolder', what: 0, where: 2 },
  { who: 'agent', kind: 'moveFolder', what: 1, where: 0 },
];

/** `d/b=text`, in order. */
async function filesIn(base: string, folder = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(base, folder), { withFileTypes: true });
  const all = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(base, name);
      return [`${name}=${await readFile(path.join(base, name), 'utf8')}`];
    }),
  );
  return all.flat().sort();
}

/** Does it, where it can be done. */
async function doStep({ at, call, write, book }: ChangeRoom, step: Step, fresh: string) {
  const isThere = (name: string): Promise<boolean> => stat(at(name)).then(Boolean, () => false);
  const names = (await filesIn(at(''))).map((file) => file.replace(/=[^]*$/, ''));
  const isFolder = step.kind === 'moveFolder';
  const places = isFolder ? FOLDERS : NAMES;
  const place = places[step.where % places.length] ?? '';
  const from = isFolder ? (FOLDERS[step.what % 4] ?? '') : (names[step.what % names.length] ?? '');
  if (step.kind === 'create') {
    if (!(await isThere(place))) await call([place], () => write(place, `${fresh}\n`));
    return;
  }
  if (from === '' || !(await isThere(from))) return;
  if (step.kind === 'delete') await call([from], () => rm(at(from)));
  else if (step.kind === 'edit') {
    const lines = (await readFile(at(from), 'utf8')).split('\n');
    lines[step.where % lines.length] = fresh;
    await call([from], () => writeFile(at(from), lines.join('\n')));
  } else if (!(await isThere(place))) {
    const below = names.filter((name) => name.startsWith(`${from}/`));
    const move = async (): Promise<void> => {
      await mkdir(path.dirname(at(place)), { recursive: true });
      await rename(at(from), at(place));
      await book.moved(at(from), at(place));
    };
    await (step.who === 'person' ? move() : call([from, place, ...below], move));
  }
}

async function startAnew({ at, write, book, ids }: ChangeRoom): Promise<readonly string[]> {
  await book.keep(ids());
  await book.forgetUndone();
  for (const name of await readdir(at(''))) await rm(at(name), { recursive: true });
  for (const name of ['a', 'd/b', 'd/c']) await write(name, `${name} 1\n${name} 2\n`);
  return filesIn(at(''));
}

test('whatever the agent writes, moves and deletes: Undo brings all of it back, and Redo all that was done', async (t) => {
  const room = await changeRoom(t);
  const { at, book, rows, undo } = room;
  const all = fc.array(stepOf('agent'), { minLength: 1, maxLength: 6 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(all, async (steps) => {
      const start = await startAnew(room);
      for (const one of steps) await doStep(room, one, `new ${(count += 1)}`);
      const end = await filesIn(at(''));
      await undo();
      assert.deepEqual([await filesIn(at('')), rows()], [start, []]);
      if (book.undone) await book.redo(book.undone.id);
      assert.deepEqual([await filesIn(at('')), book.undone], [end, undefined]);
    }),
    { numRuns: 200, examples: [[EMPTIED], [CLEARED]] },
  );
});

/** The agent moves a file, the person moves it back, and the agent changes it there. */
const BROUGHT_BACK: Step[] = [
  { who: 'agent', kind: 'move', what: 0, where: 3 },
  { who: 'person', kind: 'move', what: 2, where: 0 },
  { who: 'agent', kind: 'edit', what: 0, where: 0 },
];
/** The agent deletes what it has moved, and the person moves something else there. */
const IN_ITS_PLACE: Step[] = [
  { who: 'agent', kind: 'move', what: 0, where: 10 },
  { who: 'agent', kind: 'delete', what: 2, where: 0 },
  { who: 'person', kind: 'move', what: 0, where: 4 },
];

test('whatever the person moves between that: Undo and Redo lose no text, and none is undone by half', async (t) => {
  const room = await changeRoom(t);
  const { at, book, rows, undo } = room;
  const textsIn = async (): Promise<readonly string[]> =>
    (await filesIn(at(''))).map((file) => file.replace(/^[^=]*=/, '')).sort();
  const all = fc.array(stepOf('agent', 'person'), { minLength: 1, maxLength: 6 });
  let [count, undone] = [0, 0];
  await fc.assert(
    fc.asyncProperty(all, async (steps) => {
      await startAnew(room);
      const start = await textsIn();
      for (const one of steps) await doStep(room, one, `new ${(count += 1)}`);
      const end = await filesIn(at(''));
      const texts = await textsIn();
      // Once more as well: what is had again is listed as it was.
      for (const round of ['first', 'second']) {
        await undo();
        assert.ok(!rows().some((row) => row.endsWith('(failed)')), `${round}: ${rows().join()}`);
        const isWhole = rows().length === 0;
        if (isWhole) assert.deepEqual(await textsIn(), start, round);
        undone += isWhole ? 1 : 0;
        if (book.undone) await book.redo(book.undone.id);
        if (isWhole)
          assert.deepEqual([await filesIn(at('')), book.undone], [end, undefined], round);
        else assert.deepEqual(await textsIn(), texts, round);
      }
    }),
    { numRuns: 150, examples: [[BROUGHT_BACK], [IN_ITS_PLACE]] },
  );
  assert.ok(undone > 200, `${undone} of the runs could be undone`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changeRoom } from './changeRoom';

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countLines, lineHunks, mergeTexts } from '../../../src/workFiles/mergeTexts';

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

test('the changes between two texts make the second one of the first', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const result = before.split('\n');
      for (const { start, end, lines: put } of [...lineHunks(before, after)].reverse()) {
        result.splice(start, end - start, ...put);
      }
      assert.equal(result.join('\n'), after);
    }),
  );
});

test('lines are counted as a difference counts them, with and without an end of the last one', () => {
  assert.deepEqual(countLines('', lines('a', 'b')), { added: 2, removed: 0 });
  assert.deepEqual(countLines(lines('a', 'b'), ''), { added: 0, removed: 2 });
  assert.deepEqual(countLines('a', lines('a', 'b')), { added: 1, removed: 0 });
  assert.deepEqual(countLines(lines('a', 'b'), lines('a', 'c')), { added: 1, removed: 1 });
  assert.deepEqual(countLines('a', 'a'), { added: 0, removed: 0 });
});

test('what two have changed in different lines is taken from both', () => {
  const common = lines('1', '2', '3', '4', '5');
  assert.deepEqual(
    mergeTexts(common, lines('1', 'one', '3', '4', '5'), lines('1', '2', '3', '4', 'other', '5')),
    { ok: true, text: lines('1', 'one', '3', '4', 'other', '5') },
  );
  // Lines that touch are not the same lines.
  assert.deepEqual(mergeTexts(lines('1', '2'), lines('one', '2'), lines('1', 'other')), {
    ok: true,
    text: lines('one', 'other'),
  });
  // What was put in beside lines that the other takes out stays.
  assert.deepEqual(mergeTexts(lines('1', 'x', '2'), lines('1', 'x', 'new', '2'), lines('1', '2')), {
    ok: true,
    text: lines('1', 'new', '2'),
  });
});

test('a change that both made alike is made once', () => {
  assert.deepEqual(mergeTexts(lines('1', '2'), lines('1', 'two'), lines('1', 'two')), {
    ok: true,
    text: lines('1', 'two'),
  });
});

test('lines that both changed are told by the first of them', () => {
  const common = lines('1', '2', '3');
  for (const [one, other] of [
    [lines('1', 'one', '3'), lines('1', 'other', '3')],
    [lines('1', '3'), lines('1', 'other', '3')],
    // Nothing says which of the two comes first.
    [lines('1', 'one', '2', '3'), lines('1', 'other', '2', '3')],
  ] as const) {
    assert.deepEqual(mergeTexts(common, one, other), { ok: false, line: 2 });
  }
  assert.deepEqual(
    mergeTexts(lines('1', 'a', 'b', '2'), lines('1', 'a', 'new', 'b', '2'), '1\n2\n'),
    {
      ok: false,
      line: 3,
    },
  );
});

test('of texts that differ in thousands of places the shortest way is not looked for', () => {
  const many = (sign: string): string =>
    Array.from({ length: 5_000 }, (_, n) => `${sign}${n}\nsame ${n}`).join('\n');
  const counts = countLines(`head\n${many('a')}\nend`, `head\n${many('b')}\nend`);
  assert.deepEqual(counts, { added: 9_999, removed: 9_999 });
});

/** Edits of lines that nobody else touches: each line that is put in is one of a kind. */
function edited(text: readonly string[], places: ReadonlySet<number>, who: string): string {
  return text
    .flatMap((line, index) =>
      places.has(index) ? [`${who} ${index}`, `${who} more ${index}`] : [line],
    )
    .join('\n');
}

test('taken back are the lines of the one alone, wherever the other has written since', () => {
  const place = fc.integer({ min: 0, max: 29 });
  fc.assert(
    fc.property(fc.array(place), fc.array(place), (agent, person) => {
      const start = Array.from({ length: 30 }, (_, n) => `line ${n}`);
      const agents = new Set(agent);
      const persons = new Set(person.filter((one) => !agents.has(one)));
      const before = start.join('\n');
      const after = edited(start, agents, 'agent');
      const shown = start.flatMap((line, index) =>
        agents.has(index)
          ? [`agent ${index}`, `agent more ${index}`]
          : persons.has(index)
            ? [`person ${index}`, `person more ${index}`]
            : [line],
      );
      assert.deepEqual(mergeTexts(after, shown.join('\n'), before), {
        ok: true,
        text: edited(start, persons, 'person'),
      });
    }),
    { numRuns: 300 },
  );
});

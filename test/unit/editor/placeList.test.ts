import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PlaceList } from '../../../src/editor/placeList';

type Place = readonly [line: number, character: number];

const few = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 }));
const places = fc.array(few, { maxLength: 30 });

function listOf(all: readonly Place[]): PlaceList {
  return new PlaceList(Int32Array.from(all.flat()));
}

function placesIn(list: PlaceList): Place[] {
  return Array.from({ length: list.size }, (_, index) => {
    const { line, character } = list.at(index);
    return [line, character] as const;
  });
}

test('What was added is there, in the order in which it came', () => {
  fc.assert(
    fc.property(places, few, (all, [line, character]) => {
      const list = listOf(all);
      assert.deepEqual(placesIn(list), all);
      const isThere = all.some((one) => one[0] === line && one[1] === character);
      assert.equal(list.has(line, character), isThere);
    }),
  );
});

test('In order each place stands once, by line and character, whatever several providers gave', () => {
  fc.assert(
    fc.property(places, (all) => {
      const keys = [...new Set(all.map(([line, character]) => line * 10 + character))];
      const expected = keys.sort((a, b) => a - b).map((key) => [Math.floor(key / 10), key % 10]);
      const list = listOf(all);
      assert.deepEqual(placesIn(list.inOrder()), expected);
      assert.deepEqual(placesIn(list), all, 'the list itself stays');
    }),
  );
});

test('Two lists have something in common where one place is in both', () => {
  fc.assert(
    fc.property(places, places, (a, b) => {
      const common = a.some(([line, at]) =>
        b.some((other) => other[0] === line && other[1] === at),
      );
      assert.equal(listOf(a).hasAny(listOf(b)), common);
    }),
  );
});

test('A place that is not there is an error of ours, not a wrong place', () => {
  assert.throws(() => listOf([[1, 2]]).at(1), /No place 1/);
});

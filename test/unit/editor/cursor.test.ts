import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CursorStore } from '../../../src/editor/cursor';

describe('CursorStore', () => {
  it('gives back the list and the place', () => {
    const store = new CursorStore<object>('d');
    const list = {};
    assert.equal(store.issue(list, 30), 'd1.30');
    assert.equal(store.issue(list, 60), 'd1.60');
    const place = store.open(' d1.60 ');
    assert.equal(place?.snapshot, list);
    assert.equal(place.offset, 60);
  });

  it('does not know what is not its own', () => {
    const store = new CursorStore<object>('d');
    store.issue({}, 1);
    for (const cursor of ['', 's1.1', 'd2.1', 'd1', 'd1.-1', 'constructor']) {
      assert.equal(store.open(cursor), undefined, cursor);
    }
  });

  it('drops the oldest list when there are too many', () => {
    const store = new CursorStore<number[]>('d', 2);
    const cursors = [[1], [2], [3]].map((list) => store.issue(list, 0));
    assert.deepEqual(
      cursors.map((cursor) => store.open(cursor)?.snapshot),
      [undefined, [2], [3]],
    );
  });
});

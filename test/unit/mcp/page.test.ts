import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../../../src/mcp/mcpServer';
import { pageOf } from '../../../src/mcp/page';

test('whatever goes or comes between two pages, no entry that stays is missed, and none is told twice while the place is known', () => {
  const names = (items: readonly string[], cursor?: string) =>
    pageOf(items, (name) => name, 3, cursor === undefined ? {} : { cursor }, 'x');
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const first = names(all);
  assert.deepEqual(first.items, ['a', 'b', 'c']);
  // Each choice of entries that go, with and without one that comes.
  for (let gone = 0; gone < 2 ** all.length; gone += 1) {
    for (const more of [[], ['new']]) {
      const now = [...all.filter((_, at) => (gone & (2 ** at)) === 0), ...more];
      const seen: string[] = [];
      let cursor = first.nextCursor;
      for (let pages = 0; cursor !== undefined; pages += 1) {
        assert.ok(pages < 5);
        const page = names(now, cursor);
        seen.push(...page.items);
        cursor = page.nextCursor;
      }
      const isLost = !now.includes('c') && !now.includes('d');
      const wanted = isLost ? now : now.filter((name) => !first.items.includes(name));
      assert.deepEqual(seen, wanted, now.join());
    }
  }
});

test('a size that is no number hides nothing', () => {
  const items = Array.from({ length: 1_500 }, (_, at) => `t${at}`);
  for (const pageSize of [NaN, Infinity, 0, -5, 2.9, 2_000]) {
    const { pageSize: size } = createServer({ name: 'x', pageSize });
    let seen = 0;
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = pageOf(items, (name) => name, size, params, 'x');
      seen += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.equal(seen, items.length, String(pageSize));
  }
});

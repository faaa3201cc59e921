import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatChoice } from '../../../src/editor/formatChoice';
import {
  bareName,
  columnsMeant,
  columnsOf,
  liesIn,
  namesIn,
  readSymbolName,
} from '../../../src/editor/symbolName';

describe('names of symbols', () => {
  it('are read as a whole first, then as a name in containers', () => {
    assert.deepEqual(readSymbolName('total'), [{ name: 'total', containers: [], before: 0 }]);
    for (const text of [
      'Cart.total',
      'Cart#total',
      'Cart::total',
      'Cart->total',
      ' Cart.total() ',
    ]) {
      const [whole, parted] = readSymbolName(text);
      assert.equal(whole?.containers.length, 0, text);
      assert.deepEqual(parted, { name: 'total', containers: ['Cart'], before: 0 }, text);
    }
    assert.deepEqual(readSymbolName('a.b.c')[1], { name: 'c', containers: ['a', 'b'], before: 0 });
  });

  it('of a selector, a private member and a blank text are read too', () => {
    assert.deepEqual(readSymbolName('.button')[0], { name: '.button', containers: [], before: 0 });
    assert.deepEqual(readSymbolName('.button')[1], { name: 'button', containers: [], before: 0 });
    assert.deepEqual(readSymbolName('#secret')[0], { name: '#secret', containers: [], before: 0 });
    assert.deepEqual(readSymbolName('  '), []);
    assert.deepEqual(readSymbolName('...'), [{ name: '...', containers: [], before: 0 }]);
  });

  it('mean their last part where they stand as a whole in a text', () => {
    const [whole] = readSymbolName('cart.total');
    assert.deepEqual(columnsMeant(whole!, 'x = cart.total + a_cart.total;'), [9]);
    assert.deepEqual(columnsMeant(readSymbolName('.box')[0]!, '  .box {'), [2]);
  });

  it('lose what an outline puts around them', () => {
    const named = { 'add()': 'add', 'add(int, List<T>)': 'add', '## Usage': 'Usage', x: 'x' };
    for (const [given, bare] of Object.entries(named)) assert.equal(bareName(given), bare);
    assert.equal(bareName('(anonymous)'), '(anonymous)');
  });

  it('are in containers when those come in their order', () => {
    assert.ok(liesIn(['Cart'], ['shop', 'Cart']));
    assert.ok(liesIn(['shop', 'Cart'], ['shop.Cart', 'inner']));
    assert.ok(liesIn([], []));
    assert.ok(!liesIn(['Cart', 'shop'], ['shop', 'Cart']));
    assert.ok(!liesIn(['Cart'], ['Carts']));
  });

  it('stand in a line as whole words only', () => {
    assert.deepEqual(columnsOf('total', 'total = subtotal + total_1 + this.total;'), [0, 34]);
    assert.deepEqual(columnsOf('größe', 'größe größen'), [0]);
    assert.deepEqual(columnsOf('main-color', '--main-color: main-color-dark main-color'), [30]);
    assert.deepEqual(columnsOf('--main', 'x: var(--main) --main-2'), [7]);
    assert.deepEqual(columnsOf('.box', '.box-2 .box'), [7]);
    assert.deepEqual(columnsOf('$el', '$el a$el'), [0]);
    assert.deepEqual(columnsOf('', 'abc'), []);
    assert.deepEqual(columnsOf('a+b', 'a+b'), [0]);
  });

  it('are read from a text of any length without a stall', () => {
    const started = performance.now();
    for (const text of [`a${' '.repeat(2_000_000)}b`, 'a.'.repeat(1_000_000), '('.repeat(1e6)]) {
      assert.ok(readSymbolName(text).every(({ name }) => name.length <= 500));
    }
    assert.ok(performance.now() - started < 2_000);
  });

  it('are collected from a text once each, to a limit', () => {
    assert.deepEqual(namesIn('let a1 = b + a1; // ünder_score 12', 9), [
      'let',
      'a1',
      'b',
      'ünder_score',
    ]);
    assert.equal(namesIn('a b c d', 2).length, 2);
  });

  it('that may mean several places are a choice of ten lines at most', () => {
    const places = Array.from({ length: 14 }, (_, index) => ({
      path: index < 3 ? 'src/a.ts' : 'src/b.ts',
      line: index + 1,
      column: 5,
      text: `  return ${'x'.repeat(200)}`,
    }));
    const text = formatChoice('total', places);
    assert.match(
      text,
      /^14 places may be meant by 'total'\. Call again with path and line of one\n/,
    );
    assert.equal(text.split('\n').filter((line) => line.startsWith(' ')).length, 10);
    assert.match(text, /\nleft: 4 places; give Class\.member, or a path$/);
    assert.equal(text.match(/^src\/a\.ts$/gm)?.length, 1);
    assert.ok(text.length <= 1_500);
  });

  it('that may mean two places of one line asks for a column', () => {
    const places = [8, 34].map((column) => ({ path: 'a.html', line: 1, column, text: '<b></b>' }));
    assert.match(formatChoice('b', places), /Call again with path as path:line:column of one\n/);
  });
});

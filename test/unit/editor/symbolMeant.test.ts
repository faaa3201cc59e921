import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryFor, symbolsMeant } from '../../../src/editor/symbolMeant';

const symbols = [
  { name: 'total', containerName: 'Cart' },
  { name: 'total', containerName: 'Order' },
  { name: 'totals', containerName: '' },
  { name: 'calcTotal(cart)', containerName: 'pricing' },
];
const meant = (text: string) => symbolsMeant(text, symbols).map((one) => symbols.indexOf(one));

test('a language server is asked for the last part of a name', () => {
  assert.equal(queryFor('Cart.total()'), 'total');
  assert.equal(queryFor('total'), 'total');
  assert.equal(queryFor(' '), '');
});

test('a name means those that are called just so, and in just that', () => {
  assert.deepEqual(meant('total'), [0, 1]);
  assert.deepEqual(meant('Cart.total'), [0]);
  assert.deepEqual(meant('Order#total()'), [1]);
  assert.deepEqual(meant('shop::Order::total'), [1], 'the nearest counts');
  assert.deepEqual(meant('calcTotal'), [3]);
  assert.deepEqual(meant('Nobody.total'), []);
  assert.deepEqual(meant('tot'), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSymbolName, MAX_SYMBOL_NAME } from '../../../src/chat/symbolProtocol';

test('code that can be the name of something is told from all other code', () => {
  const names =
    'orderTotal Cart.total Cart.total() cart::add Cart#add(item,n) $scope überzug p->next';
  for (const name of names.split(' ')) assert.equal(isSymbolName(name), true, name);
  const others = [
    ...['', 'x', 'ab', 'npm test', 'src/a.ts', '--flag', '3.14', 'a.b.c.d.e.f', '"text"', 'x = 1'],
    ...['total()()', 'total(a(b))', 'Cart.', '.total', 'x'.repeat(MAX_SYMBOL_NAME + 1), 'a-b-c'],
  ];
  for (const other of others) assert.equal(isSymbolName(other), false, other);
});

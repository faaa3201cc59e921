import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelCommands, tryParsePanelCommand } from '../../../src/chat/panelCommands';

const isTaken = (name: string): boolean => name === 'export' || name === 'doctor';
const called = (text: string) => tryParsePanelCommand(text, isTaken);

test('a command of the agent wins over ours of the same name, which keeps its long form', () => {
  const names = panelCommands(isTaken).map(({ name }) => name);
  assert.ok(names.includes('new'));
  assert.ok(names.includes('patchbay:export') && !names.includes('export'));
  assert.equal(called('/export'), undefined);
  assert.equal(called('/patchbay:export')?.command, 'export');
  assert.equal(called('/patchbay:new')?.command, 'new');
  assert.equal(called('/new')?.command, 'new');
});

test('only a whole command counts, and what stands behind it is told', () => {
  assert.deepEqual(called('  /find  '), { command: 'find', typed: '/find', rest: '' });
  assert.deepEqual(called('/find the cart'), {
    ...{ command: 'find', typed: '/find', rest: 'the cart' },
  });
  for (const text of [
    'find',
    '/finder',
    '/constructor',
    '/patchbay:toString',
    '/new/old',
    'a /new',
    '/',
  ]) {
    assert.equal(called(text), undefined, text);
  }
});

test('each has a description of its own', () => {
  const all = panelCommands(() => false);
  assert.equal(new Set(all.map(({ description }) => description)).size, all.length);
  assert.ok(all.every(({ description }) => description.length > 10));
});

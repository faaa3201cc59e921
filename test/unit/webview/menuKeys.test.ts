import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menuStep } from '../../../src/webview/menuKeys';

const labels = ['Find', 'Focus view', 'Run doctor'];
const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
const step = (key: string, active: number, over: object = {}) =>
  menuStep({ key, ...none, ...over }, labels, active);

test('the ends of a menu meet', () => {
  assert.deepEqual(step('ArrowDown', 2), { kind: 'move', index: 0 });
  assert.deepEqual(step('ArrowUp', 0), { kind: 'move', index: 2 });
  assert.deepEqual(step('End', 0), { kind: 'move', index: 2 });
  assert.deepEqual(step('Home', 2), { kind: 'move', index: 0 });
});

test('a letter goes to the next row that begins so, and no shortcut is a letter', () => {
  assert.deepEqual(step('f', 0), { kind: 'move', index: 1 });
  assert.deepEqual(step('F', 1), { kind: 'move', index: 0 });
  assert.equal(step('x', 0), undefined);
  assert.equal(step('f', 0, { ctrlKey: true }), undefined);
  assert.equal(step(' ', 0), undefined, 'it presses the row');
});

test('Escape closes, and Tab goes on', () => {
  assert.deepEqual(step('Escape', 0), { kind: 'close' });
  assert.deepEqual(step('Tab', 0), { kind: 'leave' });
});

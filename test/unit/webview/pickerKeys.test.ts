import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickerStep } from '../../../src/webview/pickerKeys';

const options = [
  { id: 'ask', label: 'Ask' },
  { id: 'plan', label: 'Plan' },
  { id: 'bypass', label: 'Bypass', disabledReason: 'Not in this session' },
];
const press = (key: string, active: number) => pickerStep({ key }, options, active);

test('the arrows move through all options and stop at the ends', () => {
  assert.deepEqual(press('ArrowDown', 0), { kind: 'move', index: 1 });
  assert.deepEqual(press('ArrowDown', 2), { kind: 'move', index: 2 });
  assert.deepEqual(press('ArrowUp', 0), { kind: 'move', index: 0 });
  assert.deepEqual(press('End', 0), { kind: 'move', index: 2 });
  assert.deepEqual(press('Home', 2), { kind: 'move', index: 0 });
});

test('Enter and Space choose, but never a disabled option', () => {
  assert.deepEqual(press('Enter', 1), { kind: 'choose', index: 1 });
  assert.deepEqual(press(' ', 0), { kind: 'choose', index: 0 });
  assert.equal(press('Enter', 2), undefined);
});

test('Escape closes and Tab leaves', () => {
  assert.deepEqual(press('Escape', 0), { kind: 'close' });
  assert.deepEqual(press('Tab', 0), { kind: 'leave' });
});

test('a letter goes to the next option that starts with it', () => {
  assert.deepEqual(press('b', 0), { kind: 'move', index: 2 });
  assert.deepEqual(press('a', 2), { kind: 'move', index: 0 });
  assert.equal(press('z', 0), undefined);
  assert.equal(press('Shift', 0), undefined);
  assert.equal(pickerStep({ key: 'b', ctrlKey: true }, options, 0), undefined);
});

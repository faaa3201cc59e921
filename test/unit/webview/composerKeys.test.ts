import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composerAction, isImeKey } from '../../../src/webview/composerKeys';

const enter = { key: 'Enter', keyCode: 13 };

test('Enter sends and Shift+Enter breaks the line', () => {
  const box = { text: 'hi', sendKey: 'enter' } as const;
  assert.equal(composerAction(enter, box), 'send');
  assert.equal(composerAction({ ...enter, shiftKey: true }, box), undefined);
  assert.equal(composerAction({ ...enter, altKey: true }, box), undefined);
});

test('with the keys swapped only Ctrl+Enter or Cmd+Enter sends', () => {
  const box = { text: 'hi', sendKey: 'modEnter' } as const;
  assert.equal(composerAction(enter, box), undefined);
  assert.equal(composerAction({ ...enter, ctrlKey: true }, box), 'send');
  assert.equal(composerAction({ ...enter, metaKey: true }, box), 'send');
});

test('the second key steers: Ctrl+Enter, or with the keys swapped Ctrl+Shift+Enter', () => {
  for (const mod of [{ ctrlKey: true }, { metaKey: true }]) {
    const plain = { text: 'hi', sendKey: 'enter' } as const;
    assert.equal(composerAction({ ...enter, ...mod }, plain), 'steer');
    assert.equal(composerAction({ ...enter, ...mod, shiftKey: true }, plain), undefined);
    const swapped = { text: 'hi', sendKey: 'modEnter' } as const;
    assert.equal(composerAction({ ...enter, ...mod, shiftKey: true }, swapped), 'steer');
    assert.equal(composerAction({ ...enter, ...mod, altKey: true }, swapped), undefined);
  }
});

test('a key that is held down sends nothing, and breaks no line either', () => {
  const held = { ...enter, repeat: true };
  for (const [mod, sendKey, action] of [
    [{}, 'enter', 'nothing'],
    [{ ctrlKey: true }, 'enter', 'nothing'],
    [{ shiftKey: true }, 'enter', undefined],
    [{ metaKey: true }, 'modEnter', 'nothing'],
    [{}, 'modEnter', undefined],
  ] as const) {
    assert.equal(composerAction({ ...held, ...mod }, { text: 'hi', sendKey }), action);
  }
});

test('no key of an input method sends, also the Enter just after the composition', () => {
  for (const sendKey of ['enter', 'modEnter'] as const) {
    const box = { text: 'にほん', sendKey };
    assert.equal(composerAction({ ...enter, isComposing: true, ctrlKey: true }, box), undefined);
    assert.equal(composerAction({ ...enter, keyCode: 229, ctrlKey: true }, box), undefined);
  }
  assert.equal(isImeKey(enter), false);
});

test('Up recalls in an empty box only, and without a modifier', () => {
  const up = { key: 'ArrowUp' };
  assert.equal(composerAction(up, { text: '', sendKey: 'enter' }), 'older');
  assert.equal(composerAction(up, { text: 'a', sendKey: 'enter' }), undefined);
  assert.equal(
    composerAction({ ...up, shiftKey: true }, { text: '', sendKey: 'enter' }),
    undefined,
  );
});

test('from what was recalled, Up and Down go on; from anything else they move the caret', () => {
  const [up, down] = [{ key: 'ArrowUp' }, { key: 'ArrowDown' }];
  const recalled = { text: 'first', sendKey: 'enter', isRecalled: true } as const;
  assert.equal(composerAction(up, recalled), 'older');
  assert.equal(composerAction(down, recalled), 'newer');
  for (const key of [up, down]) {
    assert.equal(composerAction({ ...key, shiftKey: true }, recalled), undefined);
    assert.equal(composerAction({ ...key, isComposing: true }, recalled), undefined);
    assert.equal(composerAction(key, { ...recalled, isRecalled: false }), undefined);
  }
  assert.equal(composerAction(down, { text: '', sendKey: 'enter' }), undefined);
});

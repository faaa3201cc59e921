import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FoldBook } from '../../../src/webview/foldBook';
import { workState } from '../../harness/panelSandbox/states';

test('folding all folds what was opened, and what would be open by itself', () => {
  const folds = new FoldBook();
  folds.set('t1', true);
  folds.set('k1', true);
  folds.collapse(workState().items);
  assert.equal(folds.get('t1'), undefined);
  assert.equal(folds.get('k1'), undefined);
  assert.equal(folds.get('t4'), false, 'the call that changed a file');
  folds.set('t4', true);
  assert.equal(folds.get('t4'), true);
});

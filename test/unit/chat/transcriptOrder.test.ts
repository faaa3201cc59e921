import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from '../../../src/chat/patchProtocol';
import { TranscriptStore } from '../../../src/chat/transcriptStore';
import { emptyState } from '../../harness/panelSandbox/states';

test('an item that is put in the place of one which no view has yet comes in its order', () => {
  const store = new TranscriptStore(emptyState());
  const view = store.snapshot();
  store.addItem({ kind: 'user', id: 'first', text: 'one' });
  store.addItem({ kind: 'notice', id: 'second', text: 'two', tone: 'info' });
  store.replaceItem({ kind: 'user', id: 'first', text: 'one, read' });
  for (const patch of store.takePatches()) applyPatch(view, patch);
  assert.deepEqual(view.items, store.state.items);
  assert.deepEqual(
    view.items.map(({ id }) => id),
    ['first', 'second'],
  );
});

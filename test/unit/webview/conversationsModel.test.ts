import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConversationsModel } from '../../../src/webview/conversationsModel';

const deleted = { sessionId: 's1', title: 'Prices' };
const list = { kind: 'list', rows: [] } as const;

test('what was deleted can be brought back until it was, or somebody forgets it', () => {
  const model = new ConversationsModel(() => undefined);
  model.answered({ ...list, deleted });
  assert.deepEqual(model.deleted.value, deleted);
  model.answered(list);
  assert.deepEqual(model.deleted.value, deleted, 'the list was only looked at again');
  model.undoing();
  model.answered(list);
  assert.equal(model.deleted.value, undefined);
  model.answered({ ...list, deleted });
  model.forgetDeleted();
  assert.equal(model.deleted.value, undefined);
});

test('why it could not be brought back is kept with it', () => {
  const model = new ConversationsModel(() => undefined);
  model.answered({ ...list, deleted });
  model.undoing();
  model.answered({ ...list, problem: 'It is not on the disk any more.' });
  assert.equal(model.deleted.value?.problem, 'It is not on the disk any more.');
  model.answered({ ...list, problem: 'Something else.' });
  assert.equal(model.deleted.value.problem, 'It is not on the disk any more.');
});

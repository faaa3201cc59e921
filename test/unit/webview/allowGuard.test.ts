import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowCounts } from '../../../src/webview/allowGuard';

test('Allow does not answer to a key in the first half second, and always to a pointer', () => {
  assert.equal(allowCounts({ byKey: true, now: 1400, focusedAt: 1000 }), false);
  assert.equal(allowCounts({ byKey: true, now: 1500, focusedAt: 1000 }), true);
  assert.equal(allowCounts({ byKey: true, now: 1500, focusedAt: undefined }), false);
  assert.equal(allowCounts({ byKey: false, now: 0, focusedAt: undefined }), true);
});

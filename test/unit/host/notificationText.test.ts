import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPermissionCard } from '../../../src/chat/permissionCard';
import { canAnswerHere, notificationText } from '../../../src/host/notificationText';

function card(tool_name: string, input: Record<string, unknown>) {
  const request = { tool_name, input };
  return createPermissionCard({ requestId: 'r', request, folder: '/home/me/shop' });
}

test('a notification says what would happen, where, and what else decides', () => {
  assert.equal(
    notificationText(card('Bash', { command: 'npm test' }), undefined),
    'Permission request: Run this command in shop: npm test',
  );
  assert.equal(
    notificationText(card('WebFetch', { url: 'http://example.org/a' }), 'ssh-remote'),
    'Permission request: Fetch from example.org on ssh-remote · Not encrypted: http://example.org/a',
  );
  assert.equal(
    notificationText(card('Read', { file_path: '/home/me/shop/a.ts' }), undefined),
    'Permission request: Read a.ts',
  );
});

test('nothing is allowed from a notification that it cannot show as a whole', () => {
  assert.equal(canAnswerHere(card('Bash', { command: 'npm test' })), true);
  assert.equal(canAnswerHere(card('Bash', { command: `npm test ${'x'.repeat(200)}` })), false);
  const edit = { file_path: '/home/me/shop/a', old_string: 'a', new_string: 'b' };
  assert.equal(canAnswerHere(card('Edit', edit)), false);
  assert.equal(canAnswerHere(card('ExitPlanMode', { plan: 'x' })), false);
});

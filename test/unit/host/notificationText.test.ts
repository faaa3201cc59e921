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
  const lines = card('Bash', { command: 'ls # the files\nrm -r build' });
  assert.equal(canAnswerHere(lines), false, 'in one line the second would be part of the comment');
});

test('an edit is never allowed unseen: what it writes is in the notification, or only in the panel', () => {
  const cell = { notebook_path: '/home/me/shop/n.ipynb', new_source: 'evil()' };
  const edits = [{ old_string: 'a', new_string: 'evil()' }];
  for (const one of [
    card('NotebookEdit', cell),
    card('NotebookEdit', { ...cell, new_source: `${' '.repeat(300)}evil()` }),
    card('MultiEdit', { file_path: '/home/me/shop/a', edits }),
    card('Write', { file_path: '/home/me/shop/a', content: 'evil()' }),
  ]) {
    const isSeen = notificationText(one, undefined).includes('evil()');
    assert.ok(isSeen || !canAnswerHere(one), one.toolName);
  }
});

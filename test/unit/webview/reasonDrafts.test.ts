import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PermissionCard } from '../../../src/chat/viewStateProtocol';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { ReasonDrafts } from '../../../src/webview/reasonDrafts';
import { HandClock } from './handClock';

const CARD: PermissionCard = {
  id: 'p1',
  toolName: 'Bash',
  title: 'Run a command',
  body: 'ls',
  bodyKind: 'command',
};

test('the reason of a no is with the host shortly, and no patch takes it away', () => {
  const posted: ViewMessage[] = [];
  const clock = new HandClock();
  const drafts = new ReasonDrafts({ post: (message) => posted.push(message), timers: clock });
  drafts.of(CARD).set('not');
  drafts.of(CARD).set('not today');
  clock.advance(1000);
  assert.deepEqual(posted, [{ type: 'permissionDraft', cardId: 'p1', reason: 'not today' }]);
  drafts.of(CARD).set('not today, since');
  assert.equal(drafts.of({ ...CARD, draft: 'not today' }).text.value, 'not today, since');
  drafts.flush();
  drafts.flush();
  assert.equal(posted.length, 2);
});

test('a new view begins with the reason that the host has kept', () => {
  const drafts = new ReasonDrafts({ post: () => undefined, timers: new HandClock() });
  assert.equal(drafts.of({ ...CARD, draft: 'kept' }).text.value, 'kept');
});

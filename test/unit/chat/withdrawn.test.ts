import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConversationModel } from '../../../src/chat/conversationModel';
import { createPermissionCard } from '../../../src/chat/permissionCard';

function withCards(count: number) {
  const model = createConversationModel({ now: () => 0, folder: undefined, toolTitles: new Map() });
  for (let i = 0; i < count; i += 1) {
    const request = { tool_name: 'Bash', input: { command: `step ${i}` } };
    const card = createPermissionCard({ requestId: `c${i}`, request, folder: '/ws' });
    model.apply({ type: 'permissionRequested', card });
  }
  const lines = () =>
    model.snapshot().items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  return { model, lines };
}

test('a withdrawn request leaves one quiet line, and many leave one that counts them', () => {
  const { model, lines } = withCards(200);
  const withdraw = (i: number) =>
    model.apply({ type: 'permissionSettled', cardId: `c${i}`, outcome: 'withdrawn' });
  withdraw(0);
  assert.deepEqual(lines(), ['Withdrawn before you answered: Run this command in ws']);
  for (let i = 1; i < 200; i += 1) withdraw(i);
  withdraw(5);
  assert.deepEqual(lines(), ['200 permission requests were withdrawn before you answered']);
  assert.deepEqual(model.snapshot().permissions, []);
});

test('what Stop takes back, what is answered and what is lost with the process leave no such line', () => {
  const { model, lines } = withCards(4);
  model.apply({ type: 'permissionSettled', cardId: 'c0', outcome: 'allowed' });
  model.apply({ type: 'permissionSettled', cardId: 'c1', outcome: 'lost' });
  model.apply({ type: 'stopRequested' });
  model.apply({ type: 'permissionSettled', cardId: 'c2', outcome: 'withdrawn' });
  assert.deepEqual(lines(), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InterruptedQuestions } from '../../../src/conversation/interruptedQuestions';

test('the reason of a no goes to the agent as it was typed, and without one there is no gap', () => {
  const lost = new InterruptedQuestions(() => undefined);
  const card = {
    id: 'x',
    toolName: 'Bash',
    title: 'Run',
    body: 'ls',
    bodyKind: 'command',
  } as const;
  lost.add(card);
  const reason = 'do this:\n    if x:\n        y';
  assert.ok(lost.answer('x', 'deny', reason)?.includes(reason));
  lost.add(card);
  assert.match(lost.answer('x', 'deny', '  ') ?? '', /My answer is no\. Please continue/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveFacts } from '../../../src/conversation/conversationFacts';
import type { ConversationMessage } from '../../../src/protocol/messages';

test('tools see mode and turn as they are now, and hear of a compaction and of a rewind', () => {
  const now = { mode: 'default', turnStart: undefined as number | undefined, lastTurnStart: 3 };
  const facts = new LiveFacts({
    id: 'c1',
    cwd: '/work',
    mode: () => now.mode,
    turns: () => now,
  });
  assert.deepEqual(
    [facts.id, facts.cwd, facts.mode, facts.turnStart],
    ['c1', '/work', 'default', undefined],
  );
  now.mode = 'plan';
  now.turnStart = 7;
  now.lastTurnStart = 5;
  assert.deepEqual([facts.mode, facts.turnStart, facts.lastTurnStart], ['plan', 7, 5]);
  const heard: string[] = [];
  facts.onDidReset((kind) => heard.push(kind));
  const hear = (message: object): void => {
    facts.receive(message as ConversationMessage);
  };
  hear({ type: 'system', subtype: 'compact_boundary' });
  hear({ type: 'system', subtype: 'init' });
  hear({ type: 'result', subtype: 'success' });
  facts.rewound();
  facts.dispose();
  hear({ type: 'system', subtype: 'compact_boundary' });
  assert.deepEqual(heard, ['compaction', 'rewind']);
});

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

test('of a running call of a sub-agent it is known which call runs the sub-agent', () => {
  const turns = (): { turnStart: undefined; lastTurnStart: undefined } => {
    return { turnStart: undefined, lastTurnStart: undefined };
  };
  const facts = new LiveFacts({ id: 'c1', cwd: '/work', mode: () => 'default', turns });
  const hear = (type: string, parent: string | null, content: unknown): void => {
    facts.receive({
      type,
      parent_tool_use_id: parent,
      message: { content },
    } as ConversationMessage);
  };
  const call = (id: string) => [{ type: 'tool_use', id, name: 'x', input: {} }];
  const seen = (): unknown[] => ['agent', 'own', 'sub'].map(facts.agentOf);
  hear('assistant', null, [...call('agent'), ...call('own')]);
  hear('user', 'agent', 'the prompt of the sub-agent');
  assert.deepEqual(seen(), [undefined, undefined, undefined]);
  hear('assistant', 'agent', call('sub'));
  assert.deepEqual(seen(), [undefined, undefined, 'agent']);
  hear('user', 'agent', [{ type: 'tool_result', tool_use_id: 'sub', content: 'done' }]);
  assert.deepEqual(seen(), [undefined, undefined, undefined]);
  facts.dispose();
});

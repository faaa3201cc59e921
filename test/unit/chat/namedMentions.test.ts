import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionText, parseMentions } from '../../../src/chat/mentions';
import { conversationTarget, tryParseNamed } from '../../../src/chat/namedMentions';

const SESSION = '1a2b3c4d-2222-3333-4444-555555555555';

test('names of what is no file are read, and what only looks like them is not', () => {
  const cases: [string, object | undefined][] = [
    ['problems', { kind: 'problems', file: undefined }],
    ['problems:src/a.ts', { kind: 'problems', file: 'src/a.ts' }],
    ['git:changes', { kind: 'changes' }],
    ['terminal:selection', { kind: 'terminal' }],
    ['conversation:1a2b3c4d', { kind: 'conversation', start: '1a2b3c4d' }],
    ['conversation:Fix the cart 1a2b3c4d', { kind: 'conversation', start: '1a2b3c4d' }],
    ['conversation:', undefined],
    ['conversation:../../etc', undefined],
    ['conversation:1A2B3C4D', undefined],
    ['terminal', undefined],
    ['git', undefined],
    ['problemsolving', undefined],
  ];
  for (const [target, named] of cases) assert.deepEqual(tryParseNamed(target), named, target);
});

test('a conversation is mentioned by its title, whatever stands in that, and found again by its id', () => {
  const titles = ['', 'Fix the cart', 'say "hi"\nand go', 'x'.repeat(500), 'ends with ] 12345678'];
  for (const title of titles) {
    const text = `See ${mentionText(conversationTarget(title, SESSION))} for it`;
    const [mention] = parseMentions(text);
    assert.deepEqual(tryParseNamed(mention?.target ?? ''), {
      ...{ kind: 'conversation', start: '1a2b3c4d' },
    });
    assert.ok((mention?.target.length ?? 0) < 100);
  }
});

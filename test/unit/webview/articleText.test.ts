import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssistantItem, Block } from '../../../src/chat/viewStateProtocol';
import { articleMarkdown } from '../../../src/webview/articleText';

const call = (over: object): Block => ({
  ...{ kind: 'tool', id: 't', name: 'Edit', title: 'Edit', summary: '', state: 'done', input: '' },
  ...over,
});
const answer = (...blocks: Block[]): AssistantItem => ({ kind: 'assistant', id: 'a1', blocks });

test('an answer is its words, without its workings', () => {
  const words: Block = { kind: 'text', id: 'x', text: ' Done. ', streaming: false };
  assert.equal(articleMarkdown(answer(call({ summary: 'a.ts' }), words)), 'Done.');
});

test('one that is all work is a line for each call', () => {
  const item = answer(
    { kind: 'thinking', id: 'k', text: 'hm', streaming: false },
    call({ summary: 'src/a.ts' }),
    call({ title: 'Run a command', summary: 'npm test', state: 'failed' }),
    call({ title: 'Read a file', parentToolUseId: 't' }),
    call({ title: 'Symbols' }),
  );
  assert.equal(
    articleMarkdown(item),
    '- Edit: src/a.ts\n- Run a command: npm test (failed)\n- Symbols',
  );
});

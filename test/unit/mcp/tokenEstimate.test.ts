import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens, tokensOfTool } from '../../../src/mcp/tokenEstimate';

test('Four plain characters are a token, of other scripts each character is one', () => {
  assert.deepEqual(
    ['', 'abcd', 'abcde', 'été!', '日本語', 'ab日本cd😀'].map(estimateTokens),
    [0, 1, 2, 1, 3, 4],
  );
});

test('A tool costs its whole name, its description and its schema', () => {
  const tool = (description: string) => ({
    name: 'todo',
    description,
    inputSchema: { type: 'object' as const },
  });
  // 'mcp__workspace__todo' and '{"type":"object"}' are 37 characters.
  assert.equal(tokensOfTool('workspace', tool('')), 10);
  assert.equal(tokensOfTool('workspace', tool('x'.repeat(2_000))), 510);
});

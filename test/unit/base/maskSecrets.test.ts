import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSecretName } from '../../../src/base/maskSecrets';

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

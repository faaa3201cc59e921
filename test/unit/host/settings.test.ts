import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readSetting,
  settings,
  unreadableStart,
  variablesLeftOut,
} from '../../../src/host/settings';

test('a setting that nobody set has its default', () => {
  assert.equal(
    readSetting(settings.sendKey, () => undefined),
    'enter',
  );
});

test('a right value is taken as it stands', () => {
  const environment = { HTTPS_PROXY: 'http://127.0.0.1:1' };
  assert.deepEqual(
    readSetting(settings.cliEnvironment, () => environment),
    environment,
  );
});

test('a value of a wrong type counts as absent and is told', () => {
  const wrong = [
    [settings.cliPath, 7],
    [settings.cliPath, null],
    [settings.cliEnvironment, { PATH: 7 }],
    [settings.cliEnvironment, ['PATH']],
    [settings.cliArguments, '--flag'],
    [settings.cliWrapper, ['env', 7]],
    [settings.initialPermissionMode, 'bypassPermissions'],
    [settings.sendKey, 'ENTER'],
    [settings.model, {}],
    [settings.mcpServers, [{ command: 'x' }]],
    [settings.mcpConfigFile, {}],
    [settings.allowedTools, 'Bash'],
    [settings.allowedTools, ['Bash', null]],
  ] as const;
  for (const [setting, value] of wrong) {
    const told: string[] = [];
    const read = readSetting<unknown>(
      setting,
      () => value,
      (key) => told.push(key),
    );
    assert.deepEqual([read, told], [setting.fallback, [setting.key]]);
  }
});

test('no setting takes a value of another type, whatever a workspace writes there', () => {
  const own: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  const values = [null, true, false, 7, -1, 0.5, 1e300, '', 'x', '\u0000', [], [7], ['x'], {}, own];
  for (const setting of Object.values(settings)) {
    for (const value of values) {
      const told: string[] = [];
      const read = readSetting<unknown>(
        setting,
        () => value,
        (key) => told.push(key),
      );
      const what = `${setting.key}: ${JSON.stringify(value)}`;
      assert.equal(typeof read, typeof setting.fallback, what);
      assert.equal(Array.isArray(read), Array.isArray(setting.fallback), what);
      if (told.length > 0) assert.deepEqual(read, setting.fallback, what);
    }
  }
  assert.equal('polluted' in {}, false);
});

test('of variables those that are no texts are left out by their names, and the others count', () => {
  const get = (key: string): unknown =>
    key === 'patchbay.cli.environment' ? { BASE: 'http://gateway', MAX: 5, OFF: null } : undefined;
  const told: string[] = [];
  const read = readSetting(settings.cliEnvironment, get, (key) => told.push(key));
  assert.deepEqual([read, told], [{ BASE: 'http://gateway' }, ['patchbay.cli.environment']]);
  assert.deepEqual(variablesLeftOut(get), ['MAX', 'OFF']);
  for (const value of [undefined, null, 'x', [7], {}]) {
    assert.deepEqual(
      variablesLeftOut(() => value),
      [],
    );
  }
});

test('a setting that says how the CLI is started is named where it has a wrong type, and no other', () => {
  const wrong = [
    ['patchbay.cli.path', 7],
    ['patchbay.cli.wrapper', ['docker', 'exec', 5]],
    ['patchbay.cli.wrapper', 'docker'],
    ['patchbay.cli.arguments', ['--disallowedTools=Bash', null]],
  ] as const;
  for (const [key, value] of wrong) {
    assert.deepEqual(
      unreadableStart((one) => (one === key ? value : undefined)),
      [key],
    );
  }
  assert.deepEqual(
    unreadableStart(() => undefined),
    [],
  );
  assert.deepEqual(
    unreadableStart((one) => (one === 'patchbay.model' ? 7 : undefined)),
    [],
  );
});

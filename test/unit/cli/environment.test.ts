import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { childEnvironment } from '../../../src/cli/environment';
import { homeOf } from '../../../src/cli/prepareCli';

const leaks = {
  ELECTRON_RUN_AS_NODE: '1',
  ELECTRON_NO_ATTACH_CONSOLE: '1',
  NODE_OPTIONS: '--inspect',
  NODE_ENV: 'production',
  VSCODE_PID: '1',
  VSCODE_IPC_HOOK: '/x',
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'claude-vscode',
  CLAUDE_CODE_SESSION_ID: 's',
  CLAUDE_CODE_CHILD_SESSION: '1',
  CLAUDE_CODE_EXECPATH: '/x',
  CLAUDE_CODE_MESSAGING_SOCKET: '/x',
  CLAUDE_CODE_MESSAGING_TOKEN: 't',
  CLAUDE_PID: '1',
  CLAUDE_EFFORT: 'high',
  AI_AGENT: 'x',
  GIT_EDITOR: 'true',
};

const kept = {
  PATH: '/bin',
  HOME: '/home/p',
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_BASE_URL: 'u',
  CLAUDE_CONFIG_DIR: '/c',
  CLAUDE_CODE_OAUTH_TOKEN: 'o',
  CLAUDE_CODE_MAX_RETRIES: '2',
  HTTPS_PROXY: 'p',
  no_proxy: 'n',
  NODE_EXTRA_CA_CERTS: '/ca',
  SSL_CERT_FILE: '/ca',
};

test('Nothing of the editor and of a parent session reaches the CLI, all else does', () => {
  const env = childEnvironment({ inherited: { ...leaks, ...kept, EMPTY: undefined } });
  assert.deepEqual(env, {
    MCP_TIMEOUT: '30000',
    MCP_TOOL_TIMEOUT: '86400000',
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    ...kept,
  });
});

test('A folder of the CLI without a name is none, or it would be the working folder', () => {
  for (const own of [undefined, { CLAUDE_CONFIG_DIR: '' }]) {
    const inherited = own === undefined ? { CLAUDE_CONFIG_DIR: '' } : kept;
    const env = childEnvironment({ inherited, ...(own && { own }) });
    assert.equal(env.CLAUDE_CONFIG_DIR, undefined);
  }
});

test('The home folder is the one that the CLI takes for it', () => {
  const env = { HOME: '/c/Users/ann', USERPROFILE: 'C:\\Users\\ann' };
  assert.equal(homeOf(env, 'linux'), '/c/Users/ann');
  assert.equal(homeOf(env, 'win32'), 'C:\\Users\\ann');
  assert.equal(homeOf({ HOME: '' }, 'linux'), os.homedir());
});

test('An editor command of the person is not taken for the mark of a parent session', () => {
  const env = childEnvironment({ inherited: { GIT_EDITOR: 'vim', CLAUDECODE: '1' } });
  assert.equal(env.GIT_EDITOR, 'vim');
});

test('The own setting comes last: it adds, brings back, replaces and removes', () => {
  const env = childEnvironment({
    inherited: { ...leaks, FOO: 'a', BAR: 'b', MCP_TIMEOUT: '5000' },
    own: { NODE_OPTIONS: '--x', FOO: 'c', BAR: null },
  });
  assert.deepEqual(env, {
    MCP_TIMEOUT: '5000',
    MCP_TOOL_TIMEOUT: '86400000',
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    NODE_OPTIONS: '--x',
    FOO: 'c',
  });
});

test('On Windows names are the same in any case', () => {
  const env = childEnvironment({
    inherited: { Node_Options: 'x', vscode_pid: '1', Path: 'C:\\bin' },
    own: { PATH: 'D:\\bin' },
    platform: 'win32',
  });
  assert.deepEqual(env, {
    MCP_TIMEOUT: '30000',
    MCP_TOOL_TIMEOUT: '86400000',
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    PATH: 'D:\\bin',
  });
});

import assert from 'node:assert/strict';
import { silentLogger } from '../../src/base/logger';
import { ServerBook } from '../../src/cli/serverBook';
import { WorkspaceApprovals } from '../../src/cli/workspaceApprovals';
import { inRoot } from '../harness/paths';

/** The external servers of a conversation: one, `ext`, that asks the person. */
export function askingServers(): ServerBook {
  const args = [inRoot('test/harness/mcpServers/askingServer.mjs'), 'ext'];
  return new ServerBook({
    log: silentLogger,
    settingServers: () => ({ ext: { command: process.execPath, args } }),
    configFile: () => '',
    secret: () => Promise.resolve(undefined),
    isTrusted: () => true,
    reserved: () => [],
    isOff: () => false,
    approvals: new WorkspaceApprovals({
      memory: { get: () => undefined, set: () => undefined },
      ask: () => Promise.resolve(undefined),
      onError: assert.ifError,
    }),
  });
}

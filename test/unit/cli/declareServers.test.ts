import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVersion, supportsManifests } from '../../../src/cli/cliVersion';
import { declareServers, needsConfigRestart } from '../../../src/cli/declareServers';

const manifest = { initializeResult: { protocolVersion: '2025-11-25' }, toolsListResult: {} };
const servers = [
  { name: 'editor', manifest },
  { name: '__proto__', version: '2.0.0', manifest },
];

test('A CLI that may know manifests gets them in initialize and nothing in a file', () => {
  for (const knows of ['yes', 'unknown'] as const) {
    const { initialize, mcpConfig } = declareServers(servers, knows);
    assert.deepEqual(initialize.sdkMcpServers, ['editor', '__proto__']);
    assert.deepEqual(Object.keys(initialize.sdkMcpServerManifests ?? {}), ['editor', '__proto__']);
    assert.deepEqual(mcpConfig, {});
  }
});

test('An old CLI gets type, name and version in the file, and no other key', () => {
  const { initialize, mcpConfig } = declareServers(servers, 'no');
  assert.deepEqual(initialize, {});
  assert.equal(
    JSON.stringify(mcpConfig),
    '{"editor":{"type":"sdk","name":"editor","version":"1.0.0"},"__proto__":{"type":"sdk","name":"__proto__","version":"2.0.0"}}',
  );
});

test('Only an answer that does not know the word makes a restart', () => {
  const sent = declareServers(servers, 'unknown');
  assert.ok(needsConfigRestart(sent, {}));
  assert.ok(!needsConfigRestart(sent, { sdk_mcp_manifests_parked: {} }));
  assert.ok(!needsConfigRestart(sent, { sdk_mcp_manifests_parked: { editor: 'malformed' } }));
  assert.ok(!needsConfigRestart(declareServers(servers, 'no'), {}));
  assert.ok(!needsConfigRestart(declareServers([], 'unknown'), {}));
});

test('A version tells whether manifests are known, impossible, or have to be tried', () => {
  assert.equal(parseVersion('2.1.332 (Claude Code)\n'), '2.1.332');
  assert.equal(parseVersion('banner\n10.0.1 x'), '10.0.1');
  assert.equal(parseVersion('none'), undefined);
  assert.equal(supportsManifests('2.1.332'), 'yes');
  assert.equal(supportsManifests('2.10.0'), 'yes');
  assert.equal(supportsManifests('2.1.9'), 'unknown');
  assert.equal(supportsManifests('1.0.128'), 'no');
  assert.equal(supportsManifests(undefined), 'unknown');
});

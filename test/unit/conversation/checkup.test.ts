import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import type { CliSession } from '../../../src/cli/cliSession';
import { Checkup } from '../../../src/conversation/checkup';

test('Why a server failed is told without the secrets of its entry', async () => {
  const told: string[] = [];
  const log = { ...silentLogger, warn: (line: string) => void told.push(line) };
  const row = { name: 'zap', status: 'failed' };
  const error = 'fetch failed for https://mcp.test/swordfish-1/mcp';
  // As much of it as is asked for here.
  const session = {
    request: () => Promise.resolve({ mcpServers: [{ ...row, error }] }),
  } as unknown as CliSession;
  const checkup = new Checkup({ ownServers: () => [], tell: (line) => told.push(line), log });
  const facts = {
    personServers: ['zap'],
    problems: [],
    errorLines: () => [],
    mask: (text: string) => text.replaceAll('swordfish-1', '•••'),
  };
  const subject = { type: 'system', subtype: 'init' } as const;
  const init = { ...subject, mcp_servers: [row], tools: [] };
  await checkup.look({ session, facts }, init);
  assert.equal(told.length, 2, 'in the log and to the person');
  for (const line of told) assert.match(line, /could not be started: fetch .*test\/•••\/mcp/);
});

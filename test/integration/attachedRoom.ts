import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { startServerProcess } from '../../src/cli/serverProcess';
import type { AttachedEntry } from '../../src/doors/attachedEntry';
import { type AttachOptions, attachServer } from '../../src/doors/attachServer';
import type { PeerServer } from '../../src/mcp/peerServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { createRouter, type RouterOptions } from '../../src/mcp/router';
import { listLogger } from '../harness/fakeCli/cliHarness';

/** Room for servers that this process connects to. All of it is gone after the tests of the file. */
export async function createAttachedRoom(name: string) {
  const base = await mkdtemp(path.join(tmpdir(), `patchbay-${name}-`));
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
    await rm(base, { recursive: true, force: true });
  });
  const lines: string[] = [];
  const log = listLogger(lines);

  const attach = async (
    server: string,
    entry: AttachedEntry,
    more: Partial<AttachOptions> = {},
  ): Promise<PeerServer> => {
    // The tests give what the person's environment would.
    const env = { PATH: process.env.PATH ?? '', FROM_HOST: 'host' };
    const mask = (text: string): string => text.replaceAll('s3cret', '•••');
    const where = { env, cwd: base, start: startServerProcess };
    const made = await attachServer({ name: server, entry, ...where, log, mask, ...more });
    ends.push(() => {
      made.dispose();
    });
    return made;
  };

  /** Calls tools of a server as the CLI does, in a conversation of its own; the answers as JSON. */
  const callerOf = (server: PeerServer, more: Partial<RouterOptions> = {}): Caller => {
    const registry = new ServerRegistry();
    registry.add(server);
    const conversation = { id: `c${ends.length}`, cwd: base };
    const router = createRouter({ registry, log, conversation, ...more });
    ends.push(() => router.dispose());
    let id = 0;
    return async (tool, args = {}) => {
      const params = { name: tool, arguments: args };
      const message = { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params };
      return JSON.stringify(await router.route(server.name, message, { requestId: `r${id}` }));
    };
  };

  return { base, ends, lines, log, attach, callerOf };
}

export type Caller = (tool: string, args?: object) => Promise<string>;

export async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !condition();) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function toolNames(server: PeerServer): readonly string[] {
  return server.allTools?.().map((tool) => tool.name) ?? [];
}

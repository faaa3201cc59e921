// Row 12: how often the CLI has to ask our servers something before its first turn.
import { randomUUID } from 'node:crypto';
import { silentLogger } from '../../../src/base/logger';
import { createCliSession } from '../../../src/cli/cliSession';
import { declareServers } from '../../../src/cli/declareServers';
import { childEnvironment } from '../../../src/cli/environment';
import { launchArguments } from '../../../src/cli/launchArguments';
import { spawnCli } from '../../../src/cli/spawnCli';
import { manifestOf } from '../../../src/mcp/manifest';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter } from '../../../src/mcp/router';
import type { RpcAnswer } from '../../../src/mcp/wire';
import { readOrder } from './meter';
import { probeServer } from './ourPorts';

export interface HandshakeReport {
  /** `mcp_message` requests before the first streamed event. */
  readonly messages: number;
  /** Of these, answered with what the method asks for. */
  readonly right: number;
}

const { command, cwd, servers: count = 1, refused } = readOrder();
const registry = new ServerRegistry();
for (let i = 0; i < count; i += 1) registry.add(probeServer(`probe${i}`));
const router = createRouter({ registry, log: silentLogger, conversation: { id: 'b', cwd } });
const servers = registry.list().map((server) => {
  const manifest = manifestOf(server)!;
  // A version that this CLI does not speak makes it shake hands all the same.
  const initializeResult = { ...manifest.initializeResult, protocolVersion: '2023-01-01' };
  return {
    name: server.name,
    manifest: refused === true ? { ...manifest, initializeResult } : manifest,
  };
});

let messages = 0;
let right = 0;
const transport = await spawnCli({
  command,
  args: launchArguments({ trusted: true }),
  cwd,
  env: childEnvironment({ inherited: process.env }),
  log: silentLogger,
});
const session = createCliSession({
  transport,
  log: silentLogger,
  handlers: {
    mcp_message: async ({ server_name: server, message }, { requestId }) => {
      messages += 1;
      const answer = await router.route(server, message, { requestId });
      if (isRight(message, answer)) right += 1;
      return { mcp_response: answer };
    },
  },
});
const streamed = new Promise<void>((resolve, reject) => {
  session.onDidReceiveMessage((message) => {
    if (message.type === 'stream_event') resolve();
    if (message.type === 'result') reject(new Error('The turn ended without a streamed event'));
  });
  void session.exited.then(({ stderrTail }) => {
    reject(new Error(`The CLI ended first: ${stderrTail}`));
  });
});
await session.initialize({ ...declareServers(servers, 'yes').initialize });
await session.sendPrompt({ uuid: randomUUID(), content: 'go' });
await streamed;
const result: HandshakeReport = { messages, right };
await session.dispose();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

function isRight(message: unknown, answer: RpcAnswer): boolean {
  const method: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'method') : undefined;
  const result: unknown = Reflect.get(answer, 'result');
  if (typeof result !== 'object' || result === null) return false;
  switch (method) {
    case 'initialize':
      return Reflect.get(result, 'protocolVersion') !== undefined;
    case 'tools/list':
      return Array.isArray(Reflect.get(result, 'tools'));
    default:
      return true;
  }
}

// Row 17: our host with a server that is not ours: the official SDK's, behind the bridge.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { silentLogger } from '../../../src/base/logger';
import { ForeignBridge } from '../../../src/mcp/foreignBridge';
import { createPeerServer } from '../../../src/mcp/peerServer';
import { SERVER, TOOL } from '../workload';
import { runOurs } from './ourRun';

const server = new McpServer({ name: SERVER, version: '1.0.0' });
server.registerTool(TOOL, { description: 'Answers.', inputSchema: { i: z.number() } }, ({ i }) => ({
  content: [{ type: 'text', text: `pong ${i}` }],
}));
const bridge = await ForeignBridge.connect(server);
runOurs([await createPeerServer(bridge, { name: SERVER, log: silentLogger })]);

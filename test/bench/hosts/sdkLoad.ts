// What a host pays that loads the official SDK: nothing is called.
import { createSdkMcpServer, query } from '@anthropic-ai/claude-agent-sdk';

// Used, or the bundler would leave them out.
if (process.argv.length > 99) console.log(query, createSdkMcpServer);

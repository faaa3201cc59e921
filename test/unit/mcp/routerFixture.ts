import assert from 'node:assert/strict';
import type { Logger } from '../../../src/base/logger';
import { defineTool, type ToolDefinition } from '../../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter, type Router, type RouterOptions } from '../../../src/mcp/router';
import type { ToolContext } from '../../../src/mcp/toolContext';

/** A tool that takes anything and does what the test says. */
export function simpleTool(
  name: string,
  run: (input: Record<string, unknown>, ctx: ToolContext) => unknown,
  extra: { timeout?: number; progressExtends?: boolean } = {},
): ToolDefinition {
  return defineTool({
    name,
    description: `Does ${name}`,
    input: { type: 'object' },
    run,
    ...extra,
  });
}

export function serverWith(name: string, ...tools: ToolDefinition[]): McpServerDefinition {
  const server = createServer({ name });
  for (const tool of tools) server.registerTool(tool);
  return server;
}

export interface Bench {
  readonly registry: ServerRegistry;
  readonly router: Router;
  readonly logged: string[];
  /** Sends a frame; the request id is made up unless given. */
  readonly send: (server: string, message: unknown, requestId?: string) => Promise<Answer>;
  readonly call: (
    server: string,
    name: string,
    args?: unknown,
    requestId?: string,
  ) => Promise<Answer>;
}

/** An answer, loosely typed so that tests can look into it. */
export interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: {
    readonly content?: { readonly type: string; readonly text?: string }[];
    readonly isError?: boolean;
    readonly [key: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export function createBench(
  servers: readonly McpServerDefinition[],
  options: Partial<RouterOptions> = {},
): Bench {
  const registry = new ServerRegistry();
  for (const server of servers) registry.add(server);
  const logged: string[] = [];
  const note = (text: string): void => void logged.push(text);
  const log: Logger = { trace: note, debug: note, info: note, warn: note, error: note };
  const router = createRouter({
    registry,
    log,
    conversation: { id: 'c1', cwd: '/work' },
    ...options,
  });
  let count = 0;
  const send: Bench['send'] = async (server, message, requestId = `r-${(count += 1)}`) =>
    // What crosses the wire is JSON: the answer is read back as the CLI reads it.
    JSON.parse(JSON.stringify(await router.route(server, message, { requestId }))) as Answer;
  const call: Bench['call'] = (server, name, args, requestId) =>
    send(
      server,
      { jsonrpc: '2.0', id: (count += 1), method: 'tools/call', params: { name, arguments: args } },
      requestId,
    );
  return { registry, router, logged, send, call };
}

export function textOf(answer: Answer): string | undefined {
  return answer.result?.content?.map((block) => block.text).join('');
}

/** Waits, turn by turn, for what happens without time passing. */
export async function until(condition: () => boolean, turns = 1000): Promise<void> {
  for (let turn = 0; turn < turns && !condition(); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(condition(), 'the condition came true');
}

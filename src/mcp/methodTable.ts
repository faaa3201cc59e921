import { initializeResult, toolsListResult } from './manifest';
import type { McpServerDefinition } from './registry';
import { type CallToolResult, ownField } from './wire';

/** What a method may use: the server it was asked of, and what the router keeps for it. */
export interface MethodScope {
  readonly server: McpServerDefinition;
  readonly params: unknown;
  /** Remembers what `initialize` told of the client. */
  readonly shakeHands: (params: unknown) => void;
  readonly callTool: (params: unknown) => CallToolResult | Promise<CallToolResult>;
}

/** Gives the bare `result`. @throws RpcError for an error answer */
export type MethodHandler = (scope: MethodScope) => object | Promise<object>;

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
] as const;
export type Method = (typeof METHODS)[number];

/** The one meaning of the protocol's requests, whichever way they come in. */
export const methodTable: Readonly<Record<Method, MethodHandler>> = {
  initialize: ({ server, params, shakeHands }) => {
    shakeHands(params);
    return initializeResult(server, ownField(params, 'protocolVersion'));
  },
  ping: () => ({}),
  'tools/list': ({ server }) => toolsListResult(server),
  'tools/call': ({ params, callTool }) => callTool(params),
  // Not declared, but a client that asks nevertheless gets an empty list and no error.
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: [] }),
};

/** Undefined for every other name, `constructor` included. */
export function findMethod(name: string): MethodHandler | undefined {
  const method = METHODS.find((known) => known === name);
  return method === undefined ? undefined : methodTable[method];
}

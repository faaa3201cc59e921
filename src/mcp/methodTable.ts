import { completeResult, type CompleteResult } from './completion';
import { invalidParams, RPC_INVALID_PARAMS, RpcError } from './jsonRpc';
import { initializeResult, toolsListResult } from './manifest';
import type { McpServerDefinition } from './mcpServer';
import { getPrompt, listPrompts, promptNamed } from './prompts';
import type { Method } from './protocolMethods';
import { listResources, listResourceTemplates, readFound, resourceAt } from './resources';
import type { ServerSession } from './serverSession';
import { LOG_LEVELS, type LogLevel, type ToolContext } from './toolContext';
import { ownField } from './wire';

/** Work that may take its time: it has a context, a deadline, and can be cancelled. */
export interface Work {
  readonly timeout?: number;
  readonly start: (ctx: ToolContext) => object | Promise<object>;
}

/** What a method may use: the server it was asked of, and what the router does for it. */
export interface MethodScope {
  readonly server: McpServerDefinition;
  readonly session: ServerSession;
  readonly params: unknown;
  callTool(): object | Promise<object>;
  run(work: Work): object | Promise<object>;
  /** Tells the client that a resource changed. */
  resourceUpdated(uri: string): void;
}

/** Gives the bare `result`. @throws RpcError for an error answer */
export type MethodHandler = (scope: MethodScope) => object | Promise<object>;

/** The one meaning of the protocol's requests, whichever way they come in. */
export const methodTable: Readonly<Record<Method, MethodHandler>> = {
  initialize: ({ server, session, params }) => {
    session.shakeHands(params);
    const asked = ownField(params, 'protocolVersion');
    const more = session.initialize();
    return more instanceof Promise
      ? more.then((late) => initializeResult(server, asked, late))
      : initializeResult(server, asked, more);
  },
  ping: () => ({}),
  'tools/list': ({ server, params }) => toolsListResult(server, params),
  'tools/call': (scope) => scope.callTool(),
  // What is not declared is an empty list, and no error, for a client that asks nevertheless.
  'resources/list': (scope) => {
    const { server, params } = scope;
    if (server.resources().length === 0) return { resources: [] };
    return scope.run({ start: (ctx) => listResources(server, params, ctx) });
  },
  'resources/templates/list': ({ server, params }) => listResourceTemplates(server, params),
  'resources/read': (scope) => {
    const found = resourceAt(scope.server, scope.params, 'resources/read');
    const { timeout } = found.definition;
    return scope.run({ timeout, start: (ctx) => readFound(found, found.uri, ctx) });
  },
  'resources/subscribe': (scope) => {
    const { definition, uri } = resourceAt(scope.server, scope.params, 'resources/subscribe');
    scope.session.subscribe(uri, definition, () => {
      scope.resourceUpdated(uri);
    });
    return {};
  },
  'resources/unsubscribe': ({ session, params }) => {
    const uri = ownField(params, 'uri');
    if (typeof uri !== 'string')
      throw invalidParams('resources/unsubscribe', ['uri'], 'string', uri);
    session.unsubscribe(uri);
    return {};
  },
  'prompts/list': ({ server, params }) => listPrompts(server, params),
  'prompts/get': (scope) => {
    const { server, params } = scope;
    const { timeout, name } = promptNamed(server, ownField(params, 'name'), 'prompts/get');
    const args = ownField(params, 'arguments');
    return scope.run({ timeout, start: (ctx) => getPrompt(server, name, args, ctx) });
  },
  'completion/complete': complete,
  'logging/setLevel': ({ session, params }) => {
    const level = ownField(params, 'level');
    if (!isLogLevel(level)) {
      throw invalidParams('logging/setLevel', ['level'], `one of ${LOG_LEVELS.join(', ')}`, level);
    }
    session.setLogLevel(level);
    return {};
  },
};

/** A `Map`, since `constructor` is a key of every object. */
const handlers = new Map<string, MethodHandler>(Object.entries(methodTable));

/** Undefined for a method that the protocol does not have. */
export function findMethod(name: string): MethodHandler | undefined {
  return handlers.get(name);
}

function complete(scope: MethodScope): object | Promise<object> {
  const { server, params } = scope;
  const argument = ownField(params, 'argument');
  const name = ownField(argument, 'name');
  const value = ownField(argument, 'value');
  if (typeof name !== 'string') {
    throw invalidParams('completion/complete', ['argument', 'name'], 'string', name);
  }
  if (typeof value !== 'string') {
    throw invalidParams('completion/complete', ['argument', 'value'], 'string', value);
  }
  const completer = completersOf(server, ownField(params, 'ref')).get(name);
  if (completer === undefined) return completeResult([]);
  const others = textsOf(ownField(ownField(params, 'context'), 'arguments'));
  return scope.run({
    start: async (ctx): Promise<CompleteResult> =>
      completeResult(await completer(value, others, ctx)),
  });
}

function completersOf(server: McpServerDefinition, ref: unknown) {
  const type = ownField(ref, 'type');
  if (type === 'ref/prompt') {
    return promptNamed(server, ownField(ref, 'name'), 'completion/complete').complete;
  }
  if (type !== 'ref/resource') {
    throw invalidParams('completion/complete', ['ref', 'type'], 'ref/prompt or ref/resource', type);
  }
  const uri = ownField(ref, 'uri');
  const resource = server.resources().find((one) => one.uri === uri);
  if (resource !== undefined) return resource.complete;
  const what = typeof uri === 'string' ? `'${uri}'` : 'without a uri';
  throw new RpcError(RPC_INVALID_PARAMS, `Resource template ${what} not found`);
}

function textsOf(values: unknown): Record<string, string> {
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

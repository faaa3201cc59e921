import { DefinitionError } from './definitionError';
import { RPC_INVALID_PARAMS, RpcError } from './jsonRpc';
import { isProtocolMethod } from './protocolMethods';
import { isThenable } from './thenable';
import { createToolInput, type ParsedInput } from './toolInput';
import type { ToolContext } from './toolContext';
import { isRecord } from './wire';

/** A method that a server serves besides those of the protocol. */
export interface OwnMethod {
  readonly method: string;
  /** The bare `result`, a promise only where it has to be waited for. @throws RpcError for bad params */
  run(params: unknown, ctx: ToolContext): object | Promise<object>;
}

/** @throws DefinitionError for a method that the protocol has, or a schema that is none */
export function createOwnMethod(
  server: string,
  method: string,
  schema: unknown,
  run: (params: never, ctx: ToolContext) => unknown,
): OwnMethod {
  if (typeof method !== 'string' || method === '') {
    throw new DefinitionError(`A method of server '${server}' needs a name`);
  }
  if (isProtocolMethod(method)) {
    throw new DefinitionError(`Server '${server}': '${method}' is served by Patchbay itself`);
  }
  const input = createToolInput<never>(schema, 'params');
  // Made now, so that a bad schema is told to its author and not to the client.
  const { properties } = input.jsonSchema();
  const takesMeta = isRecord(properties) && Object.hasOwn(properties, '_meta');
  const serve = (parsed: ParsedInput<never>, ctx: ToolContext): unknown => {
    if (parsed.ok) return run(parsed.value, ctx);
    throw new RpcError(
      RPC_INVALID_PARAMS,
      `Invalid params for ${method}:\n${parsed.problems.join('\n')}`,
    );
  };
  return {
    method,
    run: (params, ctx) => {
      const parsed = input.parse(takesMeta ? params : withoutMeta(params));
      const value =
        parsed instanceof Promise ? parsed.then((late) => serve(late, ctx)) : serve(parsed, ctx);
      return isThenable(value) ? Promise.resolve(value).then(resultOf) : resultOf(value);
    },
  };
}

/** `_meta` may stand in the params of every method; the context has it. */
function withoutMeta(params: unknown): unknown {
  if (!isRecord(params) || !Object.hasOwn(params, '_meta')) return params;
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== '_meta'));
}

/** The protocol knows objects only. */
function resultOf(value: unknown): object {
  if (value === undefined || value === null) return {};
  return isRecord(value) ? value : { value };
}

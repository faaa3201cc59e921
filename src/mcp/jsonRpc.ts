import { describeValue, type FieldPath, problemLine } from './problems';
import { isRecord, type RpcAnswer, type RpcId } from './wire';

export const RPC_INVALID_REQUEST = -32600;
export const RPC_NOT_FOUND = -32601;
export const RPC_INVALID_PARAMS = -32602;
export const RPC_INTERNAL = -32603;
/** Of MCP itself. */
export const RPC_RESOURCE_NOT_FOUND = -32002;

/** A failure that crosses the wire as a JSON-RPC error; never shown to the person as it is. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** −32602 with one readable line about one field of the params. */
export function invalidParams(
  method: string,
  path: FieldPath,
  expected: string,
  received: unknown,
): RpcError {
  const line = problemLine({ path, expected, received: describeValue(received) });
  return new RpcError(RPC_INVALID_PARAMS, `Invalid params for ${method}:\n${line}`);
}

export type Frame =
  | {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** The answer to a request of ours; it comes as a request of its own and is only acknowledged. */
  | { readonly kind: 'reply' }
  | { readonly kind: 'invalid'; readonly id: RpcId; readonly reason: string };

/**
 * Reads one JSON-RPC frame from anything at all; never throws.
 * A missing `jsonrpc` is forgiven. What has an `id` of a legal type is a request, `null` included.
 */
export function readFrame(message: unknown): Frame {
  if (!isRecord(message)) {
    const what = Array.isArray(message)
      ? 'an array (batches are not supported)'
      : typeName(message);
    return { kind: 'invalid', id: null, reason: `expected an object, received ${what}` };
  }
  const hasId = Object.hasOwn(message, 'id') && message.id !== undefined;
  const id = hasId ? message.id : undefined;
  if (hasId && !isRpcId(id)) {
    return {
      kind: 'invalid',
      id: null,
      reason: `id: expected a string or number, received ${typeName(id)}`,
    };
  }
  const ownId = isRpcId(id) ? id : null;
  const method = Object.hasOwn(message, 'method') ? message.method : undefined;
  if (method === undefined) {
    if (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
      return { kind: 'reply' };
    return { kind: 'invalid', id: ownId, reason: 'method is missing' };
  }
  if (typeof method !== 'string') {
    return {
      kind: 'invalid',
      id: ownId,
      reason: `method: expected a string, received ${typeName(method)}`,
    };
  }
  const params = Object.hasOwn(message, 'params') ? message.params : undefined;
  return hasId
    ? { kind: 'request', id: ownId, method, params }
    : { kind: 'notification', method, params };
}

export function isRpcId(value: unknown): value is RpcId {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

export function success(id: RpcId, result: object): RpcAnswer {
  return { jsonrpc: '2.0', id, result };
}

export function failure(id: RpcId, error: unknown): RpcAnswer {
  if (error instanceof RpcError) {
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
  }
  // Our own fault: the cause goes to the log, no stack and no path goes to the model.
  return { jsonrpc: '2.0', id, error: { code: RPC_INTERNAL, message: 'Internal error' } };
}

/** What a notification gets; the CLI wants an answer although JSON-RPC has none for it. */
export function acknowledgement(): RpcAnswer {
  return { jsonrpc: '2.0', result: {}, id: 0 };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : typeof value;
}

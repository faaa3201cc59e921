import { resourceFault, toBase64 } from './content';
import { RPC_INTERNAL, RpcError } from './jsonRpc';
import { copyJson, toJson } from './results';
import { isRecord, type ReadResourceResult, type WireContents } from './wire';

/**
 * Makes what a resource's `read` gave the result of `resources/read`.
 * @throws RpcError −32603 for what cannot be sent, with the reason
 */
export function toContents(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): ReadResourceResult {
  if (isRecord(value) && Array.isArray(value.contents)) {
    return { contents: value.contents.map((one, index) => checked(one, index, uri)) };
  }
  return { contents: [contentsOf(value, uri, mimeType)] };
}

function contentsOf(value: unknown, uri: string, mimeType: string | undefined): WireContents {
  const bytes = asBytes(value);
  if (bytes !== undefined) return { uri, mimeType, blob: toBase64(bytes) };
  if (isRecord(value)) {
    const own = typeof value.mimeType === 'string' ? value.mimeType : mimeType;
    const data = asBytes(value.data);
    if (data !== undefined) return { uri, mimeType: own, blob: toBase64(data) };
    if (typeof value.text === 'string' && onlyHas(value, ['text', 'mimeType', 'uri'])) {
      return { uri, mimeType: own, text: sendable(value.text) };
    }
  }
  if (typeof value === 'string') return { uri, mimeType, text: sendable(value) };
  if (value instanceof Error) throw value;
  try {
    const text = toJson(value);
    if (text !== undefined) return { uri, mimeType: mimeType ?? 'application/json', text };
  } catch {
    // Told below.
  }
  throw new RpcError(RPC_INTERNAL, `Resource '${uri}' gave something that cannot be sent`);
}

function checked(one: unknown, index: number, uri: string): WireContents {
  const copy: unknown = copyJson(isRecord(one) && !('uri' in one) ? { uri, ...one } : one);
  const fault = isRecord(copy) ? resourceFault(copy) : ' is not an object';
  if (fault !== undefined) {
    throw new RpcError(
      RPC_INTERNAL,
      `Resource '${uri}' gave bad contents: contents[${index}]${fault}`,
    );
  }
  // Looked at field by field just now.
  return copy as WireContents;
}

function asBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value instanceof Uint8Array ? value : undefined;
}

function onlyHas(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

/** A lone surrogate has no UTF-8. */
function sendable(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

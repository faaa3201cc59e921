import { contentFault, toBase64 } from './content';
import { type CallToolResult, type ContentBlock, isRecord, type JsonObject } from './wire';

const RESULT_KEYS = new Set(['content', 'isError', 'structuredContent', '_meta']);

/**
 * Makes a handler's value the result of `tools/call`. Never throws.
 * Text stays; number, boolean, bigint, null become their text; a date its ISO text; Map, Set, object
 * and array compact JSON; undefined is no content; `{content:[…]}` stays when it is right;
 * `{data: bytes, mimeType}` is an image, a sound or a file; an Error is its message with `isError`.
 */
export function toResult(value: unknown): CallToolResult {
  try {
    return convert(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : undefined;
    return errorResult(
      `The tool's result cannot be written as JSON: ${reason ?? 'unknown reason'}`,
    );
  }
}

/** What the model reads when a handler throws: the message, no stack. */
export function thrownResult(error: unknown): CallToolResult {
  return errorResult(`Tool error: ${thrownText(error)}`);
}

export function errorResult(text: string): CallToolResult {
  return { content: [textBlock(text)], isError: true };
}

function convert(value: unknown): CallToolResult {
  switch (typeof value) {
    case 'undefined':
      return { content: [] };
    case 'string':
      return textResult(value);
    case 'number':
    case 'boolean':
    case 'bigint':
      return textResult(String(value));
    case 'function':
    case 'symbol':
      return errorResult(`The tool returned a ${typeof value}, which cannot be sent`);
    case 'object':
      return value === null ? textResult('null') : convertObject(value);
  }
}

function convertObject(value: object): CallToolResult {
  // An empty message would read as success with no output.
  if (isError(value)) return errorResult(value.message === '' ? value.name : value.message);
  if (value instanceof Date) {
    return Number.isNaN(value.getTime())
      ? errorResult('The tool returned an invalid date')
      : textResult(value.toISOString());
  }
  if (bytesIn(value) !== undefined) {
    return errorResult('The tool returned bytes without a MIME type; return { data, mimeType }');
  }
  if (isRecord(value)) {
    if (isResultLike(value)) return copyResult(value);
    const media = asMedia(value);
    if (media !== undefined) return { content: [media] };
  }
  const json = toJson(value);
  return json === undefined
    ? errorResult("The tool's result cannot be written as JSON: it holds nothing")
    : textResult(json);
}

/** A list of blocks under `content` and nothing that a result does not have: meant as a result. */
export function isResultLike(
  value: Record<string, unknown>,
): value is { content: unknown[] } & Record<string, unknown> {
  return (
    Array.isArray(value.content) &&
    Object.keys(value).every((key) => RESULT_KEYS.has(key)) &&
    value.content.every((block) => isRecord(block) && typeof block.type === 'string')
  );
}

function copyResult(value: { content: unknown[] } & Record<string, unknown>): CallToolResult {
  // Copied through JSON: the result no longer changes with the handler's object, has no getters, and
  // what cannot be sent is found here and not when the answer is written.
  const copy = copyJson(value.content) as readonly unknown[];
  const fault = contentFault(copy);
  if (fault !== undefined)
    return errorResult(`The tool returned content that MCP does not know: ${fault}`);
  // Looked at field by field just now.
  const content = copy as readonly ContentBlock[];
  const structured = isRecord(value.structuredContent) ? value.structuredContent : undefined;
  const meta = isRecord(value._meta) ? value._meta : undefined;
  // The CLI puts the structured JSON in place of the blocks: pictures and files would be lost with it.
  const textOnly = content.every((block) => block.type === 'text');
  return {
    content,
    ...(value.isError === true ? { isError: true as const } : {}),
    ...(structured !== undefined && textOnly
      ? { structuredContent: copyJson(structured) as JsonObject }
      : {}),
    ...(meta !== undefined ? { _meta: copyJson(meta) as JsonObject } : {}),
  };
}

function asMedia(value: Record<string, unknown>): ContentBlock | undefined {
  const { data, mimeType } = value;
  if (typeof mimeType !== 'string') return undefined;
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  if (!(bytes instanceof Uint8Array)) return undefined;
  const base64 = toBase64(bytes);
  if (mimeType.startsWith('image/')) return { type: 'image', data: base64, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data: base64, mimeType };
  return { type: 'resource', resource: { uri: 'result:data', mimeType, blob: base64 } };
}

/** A copy through JSON, as the client gets it. Throws on what contains itself. */
export function copyJson(value: unknown): unknown {
  const copy: unknown = JSON.parse(toJson(value) ?? 'null');
  return copy;
}

/** Compact JSON; Map, Set, bigint, errors and bytes inside included. Throws on what contains itself. */
export function toJson(value: unknown): string | undefined {
  const json = JSON.stringify(value, replace) as string | undefined;
  // A lone surrogate is written as an escape, of which a strict reader makes an error.
  return json?.includes('\\ud') !== true
    ? json
    : json.replace(/(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g, '$1\ufffd');
}

function replace(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const made: unknown = Object.getPrototypeOf(value);
  if (made === Array.prototype) return value;
  if (made === Object.prototype) {
    // A `Buffer` has become an object of its numbers by now; where it stands it still is one.
    const isBuffer = 'type' in value && value.type === 'Buffer';
    return isBuffer ? replaceBytes(Reflect.get(Object(this), key), value) : value;
  }
  if (value instanceof Map) return mapToJson(value);
  if (value instanceof Set) return [...(value as Set<unknown>)];
  if (isError(value)) return { error: value.message };
  refuseHidden(value);
  return replaceBytes(value, value);
}

/**
 * A promise that nobody waited for, an iterator, a stream, a `Response`: JSON would make `{}` of it,
 * which reads as "there is nothing". Such a thing names its kind, and has no fields of its own.
 */
function refuseHidden(value: object): void {
  if (!(Symbol.toStringTag in value) || bytesIn(value) !== undefined) return;
  if (Object.keys(value).length > 0) return;
  throw new TypeError(`it holds a ${String(value[Symbol.toStringTag])}, which JSON has not`);
}

function replaceBytes(held: unknown, value: unknown): unknown {
  const bytes = bytesIn(held);
  return bytes === undefined ? value : `(${bytes} bytes)`;
}

/** How many, where the value is nothing but bytes. */
function bytesIn(value: unknown): number | undefined {
  const isBytes =
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
  return isBytes ? value.byteLength : undefined;
}

/** An object when all keys are texts, else a list of pairs. */
function mapToJson(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries;
}

function textResult(text: string): CallToolResult {
  return { content: [textBlock(text)] };
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text: text.toWellFormed() };
}

/** Also of another realm, as from a tool file run in its own context. */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function thrownText(error: unknown): string {
  try {
    if (error === undefined) return 'undefined was thrown';
    if (typeof error === 'object' && error !== null && isError(error)) {
      return error.message === '' ? error.name : error.message;
    }
    if (typeof error === 'string') return error;
    return toJson(error) ?? typeof error;
  } catch {
    return 'something unreadable was thrown';
  }
}

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A JSON-RPC id, kept with its exact type: `0`, `"0"`, `""` and `null` are four different ids. */
export type RpcId = string | number | null;

export interface RpcSuccess {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly result: object;
}
export interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly error: { readonly code: number; readonly message: string };
}
export type RpcAnswer = RpcSuccess | RpcFailure;

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}
/** An image or a sound; `data` is base64. */
export interface MediaContent {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}
export interface ResourceContent {
  readonly type: 'resource';
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** base64 */
    readonly blob?: string;
  };
}
export interface ResourceLinkContent {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}
export type ContentBlock = TextContent | MediaContent | ResourceContent | ResourceLinkContent;

/** The `result` of `tools/call`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError?: true;
  /** In place of the text blocks the CLI gives the model this object's JSON. */
  readonly structuredContent?: JsonObject;
  readonly _meta?: JsonObject;
}

/** What a tool says of itself. Hints only: no rule may trust them from code we did not write. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One entry of the `tools/list` result. */
export interface WireTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly _meta?: JsonObject;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: { readonly tools: { readonly listChanged: true } };
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
}

/** Who shook hands, as the client named itself in `initialize`. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** True for a plain or any other non-null object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an object that is its own, undefined in every other case. */
export function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // Own and present: any field of a parsed JSON object is readable as unknown.
  return (value as Record<string, unknown>)[key];
}

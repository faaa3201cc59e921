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
  readonly title?: string;
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
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly _meta?: JsonObject;
}

/** One entry of the `resources/list` result. */
export interface WireResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly _meta?: JsonObject;
}

/** One entry of the `resources/templates/list` result. */
export interface WireResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
}

/** One entry of the `contents` of `resources/read`: text, or base64 bytes. */
export type WireContents = ResourceContent['resource'];
export interface ReadResourceResult {
  readonly contents: readonly WireContents[];
}

/** One entry of the `prompts/list` result. */
export interface WirePrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
  readonly _meta?: JsonObject;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** What a server says that it can, in the form of the protocol. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly completions?: object;
  readonly logging?: object;
  readonly experimental?: Readonly<Record<string, object>>;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
}

/** What the CLI may be told of a server beforehand, so that its first turn waits for nothing. */
export interface ServerManifest {
  readonly initializeResult: InitializeResult;
  readonly toolsListResult: { readonly tools: readonly WireTool[] };
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

/** `out[key] = value` would set the prototype when the key is `__proto__`. */
export function setOwn<T>(out: Record<string, T>, key: string, value: T): void {
  // Defining is slow, and only this one name would be taken for something else.
  if (key !== '__proto__') {
    out[key] = value;
    return;
  }
  Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A field of an object that is its own, undefined in every other case. */
export function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // Own and present: any field of a parsed JSON object is readable as unknown.
  return (value as Record<string, unknown>)[key];
}

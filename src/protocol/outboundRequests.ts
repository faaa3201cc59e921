import type { PermissionMode } from './permissions';

/** What the host asks the CLI (`control_request`, host to CLI), by subtype; no field is optional by accident. */

/** The bare `result` objects of a server, so that the CLI need not shake hands before the first turn. */
export interface SdkMcpServerManifest {
  readonly initializeResult: object;
  readonly toolsListResult?: object;
}

/** Hook names are not checked by the CLI; `timeout` is in seconds. */
export interface HookMatcher {
  readonly matcher?: string;
  readonly timeout?: number;
  readonly hookCallbackIds: readonly string[];
}

export interface InitializeOptions {
  readonly sdkMcpServers?: readonly string[];
  readonly sdkMcpServerManifests?: Readonly<Record<string, SdkMcpServerManifest>>;
  readonly hooks?: Readonly<Record<string, readonly HookMatcher[]>>;
  readonly appendSystemPrompt?: string;
  readonly supportedDialogKinds?: readonly string[];
  readonly forwardSubagentText?: boolean;
  readonly perTaskStopAffordance?: boolean;
}

/** An entry of `mcp_set_servers` or of the `--mcp-config` file. */
export type McpServerEntry =
  | { readonly type: 'sdk'; readonly name: string; readonly version: string }
  | Readonly<Record<string, unknown>>;

/** Every request by its subtype, with the fields that go beside it. */
export interface OutboundRequests {
  initialize: InitializeOptions;
  /** `cancel_queued` takes the waiting prompts back as well; without it they run at once. */
  interrupt: { readonly cancel_queued?: boolean };
  set_permission_mode: { readonly mode: PermissionMode };
  /** An unknown model is accepted and fails only with the next turn; null resets. */
  set_model: { readonly model: string | null };
  set_max_thinking_tokens: { readonly max_thinking_tokens: number | null };
  apply_flag_settings: { readonly settings: Readonly<Record<string, unknown>> };
  mcp_message: {
    readonly server_name: string;
    readonly message: Readonly<Record<string, unknown>>;
  };
  /** A full replacement: what is left out is removed, servers of `initialize` too. */
  mcp_set_servers: { readonly servers: Readonly<Record<string, McpServerEntry>> };
  mcp_toggle: { readonly serverName: string; readonly enabled: boolean };
  mcp_reconnect: { readonly serverName: string };
  mcp_status: Readonly<Record<string, never>>;
  get_context_usage: Readonly<Record<string, never>>;
  get_settings: Readonly<Record<string, never>>;
  get_hooks_listing: Readonly<Record<string, never>>;
  get_session_cost: Readonly<Record<string, never>>;
  get_usage: { readonly skip_behaviors?: boolean };
  list_models: Readonly<Record<string, never>>;
  list_permission_rules: Readonly<Record<string, never>>;
  cancel_async_message: { readonly message_uuid: string };
  stop_task: { readonly task_id: string };
  get_task_output: { readonly task_id: string };
  rename_session: { readonly title: string; readonly source?: 'host' };
  file_suggestions: { readonly query: string };
  /**
   * Answered from what the CLI knows of the conversation, without tools, also while a turn runs;
   * nothing of it reaches the session's file.
   */
  side_question: {
    readonly question: string;
    readonly history?: readonly { readonly question: string; readonly response: string }[];
  };
  rewind_files: { readonly user_message_id: string; readonly dry_run?: boolean };
}
export type OutboundSubtype = keyof OutboundRequests;

/** A prompt's priority: `now` cuts the running turn, `later` waits for its end. */
export type PromptPriority = 'now' | 'next' | 'later';

/** Content of a prompt as the CLI takes it. */
export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: string;
        readonly data: string;
      };
    }
  | { readonly type: 'document'; readonly source: Readonly<Record<string, unknown>> };

/** Fact: a `uuid` that was used before is dropped silently, one that is absent gets no lifecycle rows. */
export interface PromptMessage {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string | readonly PromptBlock[] };
  readonly parent_tool_use_id: null;
  readonly session_id: string;
  readonly uuid: string;
  readonly priority?: PromptPriority;
  readonly client_composed?: true;
}

export type OutboundControlRequest = {
  [K in OutboundSubtype]: {
    readonly type: 'control_request';
    readonly request_id: string;
    readonly request: { readonly subtype: K } & OutboundRequests[K];
  };
}[OutboundSubtype];

export interface OutboundControlResponse {
  readonly type: 'control_response';
  /** `request_id` is the request's own, a number where that was one. */
  readonly response:
    | {
        readonly subtype: 'success';
        readonly request_id: string | number;
        readonly response: Readonly<Record<string, unknown>>;
      }
    | { readonly subtype: 'error'; readonly request_id: string | number; readonly error: string };
}

export interface OutboundControlCancel {
  readonly type: 'control_cancel_request';
  readonly request_id: string;
}

/**
 * All that may be written to the CLI. It exits with code 1 on a line that is not JSON, on `null`
 * and on a `user` message without `role: 'user'`; so the writer takes these objects, never text.
 */
export type OutboundMessage =
  PromptMessage | OutboundControlRequest | OutboundControlResponse | OutboundControlCancel;

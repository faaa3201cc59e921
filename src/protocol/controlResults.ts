import {
  array,
  boolean,
  literal,
  number,
  object,
  optional,
  record,
  string,
  unknown,
} from 'zod/mini';
import { detail, jsonObject, lazySchema, nullableDetail, type Parsed } from './lazySchema';

/** What the CLI answers to the host's requests. */

export const slashCommand = lazySchema(() =>
  object({
    name: string(),
    description: detail(string()),
    argumentHint: detail(string()),
    builtin: detail(boolean()),
    aliases: detail(array(string())),
  }),
);
export type SlashCommand = Parsed<typeof slashCommand>;

const modelInfo = lazySchema(() =>
  object({
    value: string(),
    resolvedModel: detail(string()),
    displayName: detail(string()),
    description: detail(string()),
    supportsEffort: detail(boolean()),
    supportedEffortLevels: detail(array(string())),
    supportsAdaptiveThinking: detail(boolean()),
    supportsFastMode: detail(boolean()),
    supportsAutoMode: detail(boolean()),
    supportsThinkingOff: detail(boolean()),
  }),
);
export type ModelInfo = Parsed<typeof modelInfo>;

const accountInfo = lazySchema(() =>
  object({
    tokenSource: detail(string()),
    apiKeySource: detail(string()),
    apiProvider: detail(string()),
    email: detail(string()),
    organization: detail(string()),
    subscriptionType: detail(string()),
  }),
);
/** Without a login: `tokenSource` is `none` and `apiKeySource` is absent. */
export type AccountInfo = Parsed<typeof accountInfo>;

export const initializeResultSchema = lazySchema(() =>
  object({
    commands: detail(array(slashCommand())),
    models: detail(array(modelInfo())),
    agents: detail(array(object({ name: string(), description: detail(string()) }))),
    account: detail(accountInfo()),
    output_style: detail(string()),
    pid: detail(number()),
    claude_code_version: detail(string()),
    current_permission_mode: detail(string()),
    session_state: detail(string()),
    capabilities: detail(array(string())),
    /** Absent from a CLI that does not know manifests. */
    sdk_mcp_manifests_parked: detail(record(string(), string())),
  }),
);

/**
 * The answer to `initialize`. The last two stand beside the answer in the envelope; each entry is
 * a whole `control_request` that still waits for an answer (a second `initialize` lists them).
 */
export type InitializeResult = Parsed<typeof initializeResultSchema> & {
  pending_permission_requests: readonly unknown[];
  pending_user_dialog_requests: readonly unknown[];
};

/** Ids of prompts that still wait, and with `cancel_queued` of those that were taken back. */
export const interruptResultSchema = lazySchema(() =>
  object({ still_queued: detail(array(string())), cancelled: detail(array(string())) }),
);
export type InterruptResult = Parsed<typeof interruptResultSchema>;

export const setPermissionModeResultSchema = lazySchema(() => object({ mode: detail(string()) }));
export const setModelResultSchema = lazySchema(() => object({ model: nullableDetail(string()) }));
export const cancelAsyncMessageResultSchema = lazySchema(() =>
  object({ cancelled: detail(boolean()) }),
);
export const listModelsResultSchema = lazySchema(() => object({ models: array(modelInfo()) }));

/** Fact: `config.headers` of http servers are in clear text. Left out here: never logged or shown. */
export const mcpStatusResultSchema = lazySchema(() =>
  object({
    mcpServers: array(
      object({
        name: string(),
        status: detail(string()),
        error: detail(string()),
        scope: detail(string()),
        source: detail(string()),
        transport: detail(string()),
        tools: detail(array(object({ name: string(), annotations: detail(jsonObject()) }))),
      }),
    ),
  }),
);

export const mcpSetServersResultSchema = lazySchema(() =>
  object({
    added: detail(array(string())),
    removed: detail(array(string())),
    errors: detail(record(string(), string())),
  }),
);

export const contextUsageResultSchema = lazySchema(() =>
  object({
    categories: detail(
      array(
        object({
          id: detail(string()),
          name: string(),
          tokens: number(),
          kind: detail(string()),
        }),
      ),
    ),
    totalTokens: detail(number()),
    maxTokens: detail(number()),
    rawMaxTokens: detail(number()),
    percentage: detail(number()),
    model: detail(string()),
  }),
);

export const settingsResultSchema = lazySchema(() =>
  object({
    effective: detail(jsonObject()),
    applied: detail(object({ model: detail(string()), effort: nullableDetail(string()) })),
  }),
);

/** Rules of every source: `{behavior: 'deny', source: 'userSettings', rule: 'Read(./secret)'}`. */
export const permissionRulesSchema = lazySchema(() =>
  object({
    state: optional(
      object({
        // One that is broken must not hide the others.
        rules: array(
          detail(
            object({
              behavior: detail(string()),
              source: detail(string()),
              rule: detail(string()),
            }),
          ),
        ),
      }),
    ),
  }),
);

/** `total_cost_usd`: US dollars that this process counts, with what the session brought into it. */
export const usageResultSchema = lazySchema(() =>
  object({ session: detail(object({ total_cost_usd: detail(number()) })) }),
);

const success = lazySchema(() =>
  object({
    subtype: literal('success'),
    request_id: string(),
    response: optional(unknown()),
    pending_permission_requests: detail(array(unknown())),
    pending_user_dialog_requests: detail(array(unknown())),
    pending_elicitation_requests: detail(array(unknown())),
  }),
);
const failure = lazySchema(() =>
  object({
    subtype: literal('error'),
    request_id: string(),
    error: detail(string()),
    error_code: detail(string()),
  }),
);
export const controlResponseBodies = { success, failure };

/** An answer that cannot be read: whoever waits for it is told, rather than left to wait for ever. */
export interface MalformedResponse {
  readonly subtype: 'malformed';
  readonly request_id: string;
  readonly place: string;
}

export type ControlResponseBody =
  Parsed<typeof success> | Parsed<typeof failure> | MalformedResponse;

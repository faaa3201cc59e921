import { isKeyOf } from '../base/isKeyOf';
import {
  array,
  boolean,
  literal,
  looseObject,
  object,
  optional,
  pipe,
  string,
  transform,
  unknown,
} from 'zod/mini';
import { detail, fit, isJsonObject, jsonObject, lazySchema, type Parsed } from './lazySchema';
import { permissionUpdate, type PermissionUpdate } from './permissions';

/** What the CLI asks the host (`control_request`, CLI to host). */

/** More than a card can offer; each of a wrong shape costs a whole judgement of it. */
const MAX_SUGGESTIONS = 100;

/** Suggestions of a kind that cannot be shown are left out; a button for them would say nothing. */
const suggestions = () =>
  pipe(
    optional(unknown()),
    transform((value: unknown): PermissionUpdate[] | undefined => {
      if (!Array.isArray(value)) return undefined;
      return value.slice(0, MAX_SUGGESTIONS).flatMap((entry: unknown) => {
        const known = fit(permissionUpdate(), entry);
        return known.ok ? [known.value] : [];
      });
    }),
  );

const canUseTool = lazySchema(() =>
  object({
    subtype: literal('can_use_tool'),
    tool_name: string(),
    /** Handed on by reference, own `__proto__` keys included. */
    input: jsonObject(),
    tool_use_id: detail(string()),
    permission_suggestions: suggestions(),
    display_name: detail(string()),
    title: detail(string()),
    description: detail(string()),
    decision_reason: detail(string()),
    /** Fact: `rule`, `mode`, `subcommandResults`, `hook`, `workingDir`, `safetyCheck`, `other` … */
    decision_reason_type: detail(string()),
    decision_reason_hook_event: detail(string()),
    decision_reason_rule_source: detail(string()),
    blocked_path: detail(string()),
    classifier_approvable: detail(boolean()),
    suppress_always_allow_rule: detail(boolean()),
    default_to_no: detail(boolean()),
    requires_user_interaction: detail(boolean()),
    server_policy_ask_only: detail(boolean()),
    /** Only `source: 'sdk'` proves an in-process server; the name's prefix proves nothing. */
    mcp_server: detail(object({ name: string(), source: detail(string()) })),
    /** Set when a subagent asks. */
    agent_id: detail(string()),
  }),
);

// Loose: each event has fields of its own, which go to whoever listens.
const hookInput = lazySchema(() =>
  looseObject({
    hook_event_name: detail(string()),
    session_id: detail(string()),
    transcript_path: detail(string()),
    cwd: detail(string()),
    permission_mode: detail(string()),
    tool_name: detail(string()),
    tool_input: detail(jsonObject()),
    tool_response: optional(unknown()),
    tool_use_id: detail(string()),
    prompt: detail(string()),
    stop_hook_active: detail(boolean()),
    trigger: detail(string()),
    source: detail(string()),
  }),
);

const hookCallback = lazySchema(() =>
  object({
    subtype: literal('hook_callback'),
    callback_id: string(),
    tool_use_id: detail(string()),
    input: hookInput(),
  }),
);

const elicitation = lazySchema(() =>
  object({
    subtype: literal('elicitation'),
    mcp_server_name: string(),
    message: detail(string()),
    mode: detail(string()),
    url: detail(string()),
    elicitation_id: detail(string()),
    requested_schema: detail(jsonObject()),
    property_order: detail(array(string())),
  }),
);

const requestUserDialog = lazySchema(() =>
  object({
    subtype: literal('request_user_dialog'),
    dialog_kind: string(),
    payload: detail(jsonObject()),
    tool_use_id: detail(string()),
  }),
);

const schemas = {
  can_use_tool: canUseTool,
  hook_callback: hookCallback,
  elicitation,
  request_user_dialog: requestUserDialog,
};

export type CanUseToolRequest = Parsed<typeof canUseTool>;
export type HookCallbackRequest = Parsed<typeof hookCallback>;
export type HookInput = Parsed<typeof hookInput>;
export type ElicitationRequest = Parsed<typeof elicitation>;
export type UserDialogRequest = Parsed<typeof requestUserDialog>;

/**
 * A JSON-RPC message for an in-process server, in either wire: subtype `mcp_message` or
 * `sdk_mcp_request`, key `server_name` or `serverName`. The answer has the same envelope in both.
 * `message` is as it came: the router judges it, so that its id keeps its type.
 */
export interface McpMessageRequest {
  readonly subtype: 'mcp_message';
  readonly server_name: string;
  readonly message: unknown;
}

/** A subtype that is not known here; `name` is absent where there was none. */
export interface UnknownRequest {
  readonly subtype: 'unknown';
  readonly name: string | undefined;
  readonly raw: unknown;
}

/** A known subtype whose fields do not fit; answered with an error that names the place. */
export interface MalformedRequest {
  readonly subtype: 'malformed';
  readonly name: string;
  readonly place: string;
  readonly raw: unknown;
}

/** Everything that can be asked and has a meaning here. */
export type KnownInboundRequest =
  | CanUseToolRequest
  | HookCallbackRequest
  | McpMessageRequest
  | ElicitationRequest
  | UserDialogRequest;
export type InboundRequest = KnownInboundRequest | UnknownRequest | MalformedRequest;

/** Never throws and never fails: whatever it is, it gets one answer. */
export function parseInboundRequest(value: unknown): InboundRequest {
  if (!isJsonObject(value)) return { subtype: 'unknown', name: undefined, raw: value };
  const name = value.subtype;
  if (typeof name !== 'string') return { subtype: 'unknown', name: undefined, raw: value };
  if (name === 'mcp_message' || name === 'sdk_mcp_request') return parseMcpMessage(name, value);
  if (!isKeyOf(schemas, name)) return { subtype: 'unknown', name, raw: value };
  const result = fit(schemas[name](), value);
  return result.ok ? result.value : { subtype: 'malformed', name, place: result.place, raw: value };
}

/** By hand: ten thousand tool calls come this way, and there are two fields to look at. */
function parseMcpMessage(name: string, value: Record<string, unknown>): InboundRequest {
  const server = value.server_name ?? value.serverName;
  if (typeof server !== 'string') {
    return { subtype: 'malformed', name, place: 'server_name: expected string', raw: value };
  }
  if (value.message === undefined) {
    return { subtype: 'malformed', name, place: 'message: missing', raw: value };
  }
  return { subtype: 'mcp_message', server_name: server, message: value.message };
}

import { isKeyOf } from '../base/isKeyOf';
import { array, boolean, literal, number, object, string, union } from 'zod/mini';
import type { Unknown } from './contentBlocks';
import { parseInboundRequest, type InboundRequest } from './controlRequests';
import {
  controlResponseBodies,
  type ControlResponseBody,
  type MalformedResponse,
} from './controlResults';
import {
  assistantSchema,
  resultSchema,
  userSchema,
  type AssistantMessage,
  type ResultMessage,
  type UserMessage,
} from './conversationMessages';
import {
  detail,
  fit,
  isJsonObject,
  lazySchema,
  nullableDetail,
  type Fit,
  type LazySchema,
  type Parsed,
} from './lazySchema';
import { fitStreamEvent, type StreamEventMessage } from './streamEvents';
import { fitSystem, type SystemMessage } from './systemMessages';

/** One line of the CLI's stdout, parsed once. */

/** What became of a prompt: `queued`, `started`, `completed`, `cancelled`; by the host's own uuid. */
const commandLifecycle = lazySchema(() =>
  object({
    type: literal('command_lifecycle'),
    command_uuid: string(),
    state: string(),
    session_id: detail(string()),
  }),
);

/** Every 30 s of a long call. In a heartbeat the call's id is in `parent_tool_use_id`. */
const toolProgress = lazySchema(() =>
  object({
    type: literal('tool_progress'),
    tool_use_id: string(),
    tool_name: detail(string()),
    parent_tool_use_id: nullableDetail(string()),
    elapsed_time_seconds: detail(number()),
    heartbeat: detail(boolean()),
    session_id: detail(string()),
  }),
);

const rateLimitEvent = lazySchema(() =>
  object({
    type: literal('rate_limit_event'),
    rate_limit_info: object({
      status: detail(string()),
      /** Seconds since the epoch. */
      resetsAt: detail(number()),
      rateLimitType: detail(string()),
      utilization: detail(number()),
      isUsingOverage: detail(boolean()),
    }),
  }),
);

/** `/clear` and its like; the new session id is in the `init` that follows. */
const conversationReset = lazySchema(() =>
  object({
    type: literal('conversation_reset'),
    new_conversation_id: detail(string()),
    trigger: detail(string()),
    session_id: detail(string()),
  }),
);

const keepAlive = lazySchema(() => object({ type: literal('keep_alive') }));

const authStatus = lazySchema(() =>
  object({
    type: literal('auth_status'),
    isAuthenticating: detail(boolean()),
    output: detail(array(string())),
    error: detail(string()),
  }),
);

const controlCancel = lazySchema(() =>
  object({ type: literal('control_cancel_request'), request_id: union([string(), number()]) }),
);

const plainSchemas = {
  assistant: assistantSchema,
  user: userSchema,
  result: resultSchema,
  command_lifecycle: commandLifecycle,
  tool_progress: toolProgress,
  rate_limit_event: rateLimitEvent,
  conversation_reset: conversationReset,
  keep_alive: keepAlive,
  auth_status: authStatus,
  control_cancel_request: controlCancel,
} satisfies Record<string, LazySchema>;

export type CommandLifecycleMessage = Parsed<typeof commandLifecycle>;
export type ToolProgressMessage = Parsed<typeof toolProgress>;
export type RateLimitEventMessage = Parsed<typeof rateLimitEvent>;
export type ConversationResetMessage = Parsed<typeof conversationReset>;
export type KeepAliveMessage = Parsed<typeof keepAlive>;
export type AuthStatusMessage = Parsed<typeof authStatus>;
export type ControlCancelRequestMessage = Parsed<typeof controlCancel>;

/** Fact: a uuid. A number was never seen; it is refused by itself, rather than left without an answer. */
export type RequestId = string | number;

/** The request is always parsed into something that can be answered, see `controlRequests`. */
export interface ControlRequestMessage {
  readonly type: 'control_request';
  readonly request_id: RequestId;
  readonly request: InboundRequest;
}

export interface ControlResponseMessage {
  readonly type: 'control_response';
  readonly response: ControlResponseBody;
}

/** A type that is not known here, kept whole. */
export type UnknownMessage = Unknown;

export type CliMessage =
  | StreamEventMessage
  | AssistantMessage
  | UserMessage
  | ResultMessage
  | SystemMessage
  | CommandLifecycleMessage
  | ToolProgressMessage
  | RateLimitEventMessage
  | ConversationResetMessage
  | KeepAliveMessage
  | AuthStatusMessage
  | ControlRequestMessage
  | ControlResponseMessage
  | ControlCancelRequestMessage
  | UnknownMessage;

/** What is left for the conversation after the control channel has taken its own. */
export type ConversationMessage = Exclude<
  CliMessage,
  ControlRequestMessage | ControlResponseMessage | ControlCancelRequestMessage
>;

/**
 * `noise` is what was never a message: banners, half lines, `null`. `corrupt` is a known type whose
 * fields do not fit; `place` says where, such as `message.content: Invalid input`.
 */
export type ParsedLine =
  | { readonly ok: true; readonly message: CliMessage }
  | { readonly ok: false; readonly kind: 'noise'; readonly reason: string }
  | { readonly ok: false; readonly kind: 'corrupt'; readonly type: string; readonly place: string };

/** Parses one line of stdout. Never throws. */
export function parseMessage(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { ok: false, kind: 'noise', reason: 'not JSON' };
  }
  return interpretMessage(value);
}

/** As {@link parseMessage}, for a value that is parsed already. */
export function interpretMessage(value: unknown): ParsedLine {
  if (!isJsonObject(value)) return { ok: false, kind: 'noise', reason: 'not a JSON object' };
  const type = value.type;
  if (typeof type !== 'string') return { ok: false, kind: 'noise', reason: 'no type' };
  const result = fitMessage(type, value);
  return result.ok
    ? { ok: true, message: result.value }
    : { ok: false, kind: 'corrupt', type, place: result.place };
}

function fitMessage(type: string, value: Record<string, unknown>): Fit<CliMessage> {
  switch (type) {
    case 'stream_event':
      return fitStreamEvent(value);
    case 'system':
      return fitSystem(value);
    case 'control_request':
      return fitControlRequest(value);
    case 'control_response':
      return fitControlResponse(value);
    default:
      if (!isKeyOf(plainSchemas, type)) {
        return { ok: true, value: { type: 'unknown', raw: value } };
      }
      return fit(plainSchemas[type](), value);
  }
}

/** By hand where it counts: tool calls come this way. */
function fitControlRequest(value: Record<string, unknown>): Fit<CliMessage> {
  const id = value.request_id;
  const isText = typeof id === 'string';
  if (!isText && typeof id !== 'number') return { ok: false, place: 'request_id: expected string' };
  const request: InboundRequest = isText
    ? parseInboundRequest(value.request)
    : { subtype: 'malformed', name: '?', place: 'request_id: expected string', raw: value };
  return { ok: true, value: { type: 'control_request', request_id: id, request } };
}

function fitControlResponse(value: Record<string, unknown>): Fit<CliMessage> {
  const body = value.response;
  const kind = isJsonObject(body) ? body.subtype : undefined;
  const schema = kind === 'error' ? controlResponseBodies.failure : controlResponseBodies.success;
  const result: Fit<ControlResponseBody> = fit(schema(), body);
  if (result.ok) return { ok: true, value: { type: 'control_response', response: result.value } };
  const place = `response.${result.place}`;
  const id = (isJsonObject(body) ? body.request_id : undefined) ?? value.request_id;
  return typeof id === 'string'
    ? { ok: true, value: { type: 'control_response', response: malformed(id, place) } }
    : { ok: false, place };
}

function malformed(request_id: string, place: string): MalformedResponse {
  return { subtype: 'malformed', request_id, place };
}

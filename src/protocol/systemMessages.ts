import { isKeyOf } from '../base/isKeyOf';
import { array, boolean, literal, number, object, optional, string, unknown } from 'zod/mini';
import {
  detail,
  fit,
  jsonObject,
  lazySchema,
  nullableDetail,
  type Fit,
  type Parsed,
} from './lazySchema';
import { slashCommand } from './controlResults';

/** Messages of type `system`, told apart by `subtype`. Only what nothing can be done without is required. */

const common = () => ({
  type: literal('system'),
  uuid: detail(string()),
  session_id: detail(string()),
});

const taskUsage = () =>
  detail(
    object({
      total_tokens: detail(number()),
      tool_uses: detail(number()),
      duration_ms: detail(number()),
    }),
  );

const task = () => ({
  ...common(),
  task_id: string(),
  run_id: detail(string()),
  tool_use_id: detail(string()),
});

const schemas = {
  /** At the start of every turn, not at spawn. `tools` lists deferred ones too. */
  init: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('init'),
      cwd: detail(string()),
      tools: detail(array(string())),
      mcp_servers: detail(
        array(object({ name: string(), status: detail(string()), source: detail(string()) })),
      ),
      model: detail(string()),
      permissionMode: detail(string()),
      slash_commands: detail(array(string())),
      skills: detail(array(string())),
      agents: detail(array(string())),
      apiKeySource: detail(string()),
      claude_code_version: detail(string()),
      output_style: detail(string()),
      capabilities: detail(array(string())),
      user_message_uuids: detail(array(string())),
    }),
  ),
  /** `status` null with `permissionMode` is a change of mode. */
  status: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('status'),
      status: nullableDetail(string()),
      permissionMode: detail(string()),
      compact_result: detail(string()),
      compact_error: detail(string()),
      user_message_uuids: detail(array(string())),
    }),
  ),
  api_retry: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('api_retry'),
      attempt: detail(number()),
      max_retries: detail(number()),
      retry_delay_ms: detail(number()),
      error_status: nullableDetail(number()),
      error: detail(string()),
      /** Only where the API sent nothing at all within the CLI's window. */
      no_response: detail(object({ waited_ms: detail(number()) })),
    }),
  ),
  permission_denied: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('permission_denied'),
      tool_name: string(),
      tool_use_id: string(),
      agent_id: detail(string()),
      message: detail(string()),
      decision_reason: detail(string()),
      decision_reason_type: detail(string()),
    }),
  ),
  task_started: lazySchema(() =>
    object({
      ...task(),
      subtype: literal('task_started'),
      description: detail(string()),
      subagent_type: detail(string()),
      is_backgrounded: detail(boolean()),
      spawn_depth: detail(number()),
      task_type: detail(string()),
      prompt: detail(string()),
    }),
  ),
  task_progress: lazySchema(() =>
    object({
      ...task(),
      subtype: literal('task_progress'),
      description: detail(string()),
      last_tool_name: detail(string()),
      subagent_type: detail(string()),
      summary: detail(string()),
      usage: taskUsage(),
    }),
  ),
  task_updated: lazySchema(() =>
    object({
      ...task(),
      subtype: literal('task_updated'),
      patch: object({
        status: detail(string()),
        description: detail(string()),
        end_time: detail(number()),
        error: detail(string()),
        is_backgrounded: detail(boolean()),
      }),
    }),
  ),
  task_notification: lazySchema(() =>
    object({
      ...task(),
      subtype: literal('task_notification'),
      status: detail(string()),
      summary: detail(string()),
      output_file: detail(string()),
      usage: taskUsage(),
    }),
  ),
  /** The whole list each time. */
  background_tasks_changed: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('background_tasks_changed'),
      tasks: array(
        object({
          task_id: string(),
          run_id: detail(string()),
          task_type: detail(string()),
          subagent_type: detail(string()),
          description: detail(string()),
        }),
      ),
    }),
  ),
  compact_boundary: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('compact_boundary'),
      compact_metadata: detail(
        object({
          trigger: detail(string()),
          pre_tokens: detail(number()),
          post_tokens: detail(number()),
          preserved_messages: detail(object({ uuids: detail(array(string())) })),
        }),
      ),
    }),
  ),
  informational: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('informational'),
      content: string(),
      level: detail(string()),
      tool_use_id: detail(string()),
      prevent_continuation: detail(boolean()),
      prompt_submit_outcome: detail(jsonObject()),
    }),
  ),
  notification: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('notification'),
      key: detail(string()),
      text: detail(string()),
      priority: detail(string()),
    }),
  ),
  thinking_tokens: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('thinking_tokens'),
      estimated_tokens: detail(number()),
      estimated_tokens_delta: detail(number()),
    }),
  ),
  session_title_changed: lazySchema(() =>
    object({ ...common(), subtype: literal('session_title_changed'), title: string() }),
  ),
  session_state_changed: lazySchema(() =>
    object({ ...common(), subtype: literal('session_state_changed'), state: string() }),
  ),
  model_refusal_fallback: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('model_refusal_fallback'),
      content: detail(string()),
      original_model: detail(string()),
      fallback_model: detail(string()),
      retracted_message_uuids: detail(array(string())),
    }),
  ),
  model_refusal_no_fallback: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('model_refusal_no_fallback'),
      content: detail(string()),
      original_model: detail(string()),
    }),
  ),
  commands_changed: lazySchema(() =>
    object({ ...common(), subtype: literal('commands_changed'), commands: array(slashCommand()) }),
  ),
  local_command_output: lazySchema(() =>
    object({ ...common(), subtype: literal('local_command_output'), content: optional(unknown()) }),
  ),
  session_writes_lost: lazySchema(() =>
    object({
      ...common(),
      subtype: literal('session_writes_lost'),
      error_code: detail(string()),
      lost: detail(array(string())),
    }),
  ),
  worker_shutting_down: lazySchema(() =>
    object({ ...common(), subtype: literal('worker_shutting_down'), reason: detail(string()) }),
  ),
};

type Table = typeof schemas;
export type KnownSystemSubtype = keyof Table;
export type KnownSystemMessage = { [K in keyof Table]: Parsed<Table[K]> }[keyof Table];

/** A subtype that is not known here, kept whole; `name` is what the CLI called it. */
export interface UnknownSystemMessage {
  readonly type: 'system';
  readonly subtype: 'unknown';
  readonly name: string;
  readonly raw: unknown;
}

export type SystemMessage = KnownSystemMessage | UnknownSystemMessage;
/** One system message by its subtype: `SystemMessageOf<'init'>`. */
export type SystemMessageOf<K extends KnownSystemSubtype> = Parsed<Table[K]>;

/** Parses a `system` message. Unknown subtypes are kept, known ones that do not fit are named. */
export function fitSystem(value: Record<string, unknown>): Fit<SystemMessage> {
  const subtype = value.subtype;
  if (typeof subtype !== 'string' || !isKeyOf(schemas, subtype)) {
    const name = typeof subtype === 'string' ? subtype : '';
    return { ok: true, value: { type: 'system', subtype: 'unknown', name, raw: value } };
  }
  return fit(schemas[subtype](), value);
}

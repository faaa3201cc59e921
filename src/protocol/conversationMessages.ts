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
import { messageContent } from './contentBlocks';
import { detail, jsonObject, lazySchema, nullableDetail, type Parsed } from './lazySchema';

/** Whole messages of the conversation: `assistant`, `user`, `result`. */

const tokenUsage = () =>
  object({
    input_tokens: detail(number()),
    output_tokens: detail(number()),
    cache_creation_input_tokens: nullableDetail(number()),
    cache_read_input_tokens: nullableDetail(number()),
  });
export type TokenUsage = Parsed<typeof usageSchema>;
const usageSchema = lazySchema(tokenUsage);

/** Which subagent a row belongs to: key every row by `parent_tool_use_id`. */
const origin = () => ({
  parent_tool_use_id: nullableDetail(string()),
  agent_id: detail(string()),
  subagent_type: detail(string()),
  task_description: detail(string()),
});

/**
 * One message per content block, all of one answer with the same `message.id`, each before that
 * block's `content_block_stop`. `message.stop_reason` is always null here.
 */
export const assistantSchema = lazySchema(() =>
  object({
    type: literal('assistant'),
    message: object({
      id: detail(string()),
      model: detail(string()),
      content: messageContent(),
      usage: detail(usageSchema()),
    }),
    ...origin(),
    uuid: detail(string()),
    session_id: detail(string()),
    request_id: nullableDetail(string()),
    user_message_uuid: detail(string()),
    timestamp: detail(string()),
    aborted: detail(boolean()),
    /** A kind such as `rate_limit`, with `is_api_error_message`. Its text equals the result's. */
    error: detail(string()),
    is_api_error_message: detail(boolean()),
    api_error_status: nullableDetail(number()),
    api_error_type: nullableDetail(string()),
    supersedes: detail(array(string())),
    thinking_duration_ms: detail(number()),
    local_command_source: detail(string()),
    local_command_run: detail(object({ command: detail(string()), args: detail(string()) })),
    local_command_outcome: detail(object({ kind: detail(string()) })),
  }),
);
export type AssistantMessage = Parsed<typeof assistantSchema>;

/** Prompts (replayed), tool results, and rows the CLI wrote itself (`isSynthetic`). */
export const userSchema = lazySchema(() =>
  object({
    type: literal('user'),
    message: object({ role: detail(string()), content: messageContent() }),
    ...origin(),
    uuid: detail(string()),
    session_id: detail(string()),
    timestamp: detail(string()),
    isReplay: detail(boolean()),
    isSynthetic: detail(boolean()),
    /** The tool's own shape: an object on success, a string on failure. May hold megabytes. */
    tool_use_result: optional(unknown()),
    tool_result_meta: detail(
      array(
        object({
          id: detail(string()),
          non_execution_kind: detail(string()),
          permission_decision: detail(
            object({
              decision: detail(string()),
              source: detail(string()),
              reason_type: detail(string()),
            }),
          ),
        }),
      ),
    ),
  }),
);
export type UserMessage = Parsed<typeof userSchema>;

const modelUsage = () =>
  object({
    inputTokens: detail(number()),
    outputTokens: detail(number()),
    cacheReadInputTokens: detail(number()),
    cacheCreationInputTokens: detail(number()),
    costUSD: detail(number()),
    contextWindow: detail(number()),
    maxOutputTokens: detail(number()),
  });

/**
 * The end of a turn. Fact: an API failure is `subtype: 'success'` with `is_error: true`; after Stop
 * it is `error_during_execution` with a `terminal_reason` that starts with `aborted_`.
 * `total_cost_usd` and `modelUsage` are cumulative for the process, `usage` is this turn's.
 */
export const resultSchema = lazySchema(() =>
  object({
    type: literal('result'),
    subtype: string(),
    is_error: detail(boolean()),
    result: detail(string()),
    errors: detail(array(string())),
    num_turns: detail(number()),
    stop_reason: nullableDetail(string()),
    terminal_reason: detail(string()),
    api_error_status: nullableDetail(number()),
    api_error_type: nullableDetail(string()),
    duration_ms: detail(number()),
    duration_api_ms: detail(number()),
    ttft_ms: detail(number()),
    total_cost_usd: detail(number()),
    usage: detail(usageSchema()),
    modelUsage: detail(record(string(), modelUsage())),
    permission_denials: detail(
      array(
        object({
          tool_name: string(),
          tool_use_id: detail(string()),
          tool_input: detail(jsonObject()),
        }),
      ),
    ),
    queued_turn_count: detail(number()),
    local_command: detail(string()),
    /** `kind: 'task-notification'` marks a turn that nobody asked for. */
    origin: detail(object({ kind: detail(string()) })),
    startup_failure_reason: detail(string()),
    user_message_uuid: detail(string()),
    user_message_uuids: detail(array(string())),
    uuid: detail(string()),
    session_id: detail(string()),
  }),
);
export type ResultMessage = Parsed<typeof resultSchema>;

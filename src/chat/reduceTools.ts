import type { ToolResultBlock } from '../protocol/contentBlocks';
import type { UserMessage } from '../protocol/conversationMessages';
import { isJsonObject } from '../protocol/lazySchema';
import type { SystemMessageOf } from '../protocol/systemMessages';
import type { ModelContext } from './modelContext';
import { enterWorking } from './reduceStream';
import { readContentTexts, readToolResult } from './toolResult';
import { unaskedLine } from './unaskedCall';
import type { ToolState } from './viewStateProtocol';

type ResultMeta = NonNullable<UserMessage['tool_result_meta']>[number];

/**
 * Applies a `user` row. Only its tool results are drawn: prompts come from the host itself, and
 * the rest (replays, summaries, `[Request interrupted …]`) the CLI wrote for the model.
 */
export function reduceUser(context: ModelContext, message: UserMessage): void {
  const { content } = message.message;
  if (typeof content === 'string') return;
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return;
  enterWorking(context, message.parent_tool_use_id ?? undefined);
  // `tool_use_result` is of the row: with several results in it, it cannot be told whose it is.
  const data = results.length === 1 ? message.tool_use_result : undefined;
  for (const result of results) {
    const meta = message.tool_result_meta?.find(({ id }) => id === result.tool_use_id);
    endCall(context, result, data, meta);
  }
}

function endCall(
  context: ModelContext,
  result: ToolResultBlock,
  data: unknown,
  meta: ResultMeta | undefined,
): void {
  const id = result.tool_use_id;
  const isError = result.is_error === true;
  if (!isError && isBackgroundLaunch(data)) {
    context.tools.moveToBackground(id);
    return;
  }
  const read = readToolResult(result);
  // A subagent's hand-back to the model is long and full of instructions; its words are in `data`.
  const words = isAgentReport(data) ? readContentTexts(data) : undefined;
  context.tools.end(id, {
    read: words === undefined ? read : { text: withoutTags(words), attachments: read.attachments },
    data,
    isError,
    state: endState(isError, meta),
    unasked: (toolName, isAllowed) => unaskedLine(toolName, meta, isAllowed),
  });
}

/** Facts, sections 1 and 6: how a call that did not run tells why. */
function endState(isError: boolean, meta: ResultMeta | undefined): ToolState {
  if (!isError) return 'done';
  const kind = meta?.non_execution_kind;
  if (kind === 'user-rejected') return 'cancelled';
  const decision = meta?.permission_decision;
  // A host's fault, not a refusal.
  if (decision?.source === 'permission_updated_input_invalid') return 'failed';
  return kind !== undefined || decision?.decision === 'reject' ? 'denied' : 'failed';
}

function isBackgroundLaunch(data: unknown): boolean {
  if (!isJsonObject(data)) return false;
  return (
    data.isAsync === true ||
    data.status === 'async_launched' ||
    typeof data.backgroundTaskId === 'string'
  );
}

function isAgentReport(data: unknown): boolean {
  return isJsonObject(data) && typeof data.agentId === 'string';
}

function withoutTags(text: string): string {
  return text
    .replace(/^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/, '')
    .trim();
}

type TaskMessage = SystemMessageOf<
  'permission_denied' | 'task_started' | 'task_progress' | 'task_notification'
>;

/** Applies what the CLI tells of a call between its start and its result. */
export function reduceTask({ tools }: ModelContext, message: TaskMessage): void {
  const id = message.tool_use_id;
  if (id === undefined) return;
  switch (message.subtype) {
    case 'permission_denied':
      // A refusal of which the host was not asked.
      tools.refused(id, message.message);
      return;
    case 'task_started':
      if (message.is_backgrounded === true) tools.moveToBackground(id);
      return;
    case 'task_progress':
      tools.progress(id, message.summary ?? message.description ?? '');
      return;
    case 'task_notification':
      // One in the foreground ends with its tool result.
      tools.endBackground(id, taskState(message.status), message.summary);
      return;
  }
}

function taskState(status: string | undefined): ToolState {
  switch (status) {
    case 'failed':
      return 'failed';
    case 'stopped':
    case 'killed':
    case 'cancelled':
      return 'cancelled';
    case 'completed':
    case undefined:
    default:
      return 'done';
  }
}

import * as l10n from '@vscode/l10n';
import type { ResultMessage } from '../protocol/conversationMessages';
import type { ErrorFields } from './chatEvent';
import type { ModelContext } from './modelContext';
import { addStreamedBlock, discardUnconfirmed, finishUnconfirmed } from './reduceStream';
import { closeCost, conversationCost } from './runningCost';
import { isLimit, type TurnFailure, turnFaultKind } from './turnFaultKind';
import { turnFaultError } from './turnFaults';
import type { Usage } from './viewStateProtocol';

/** Of the CLI's own inner state; never for a reader. */
const DIAGNOSTIC = '[ede_diagnostic]';

/**
 * Applies a `result`: the end of a turn. `is_error` says little by itself: Stop is an error, an API
 * failure is a `success` (facts, sections 6 and 13).
 */
export function reduceResult(context: ModelContext, message: ResultMessage): void {
  // The last of several cut streams: like those before, it is nowhere but on the screen.
  if (context.turn.apiFailure && message.is_error === true) discardUnconfirmed(context);
  finishUnconfirmed(context);
  context.tools.endTurn();
  updateUsage(context, message);
  const failed = concludeTurn(context, message);
  context.turn.apiFailure = undefined;
  context.turn.refused = false;
  context.turn.replaysOldRows = false;
  context.items.endTurn();
  context.status.endTurn(failed ? 'failed' : 'idle');
}

/** Says how the turn ended; true when it failed. */
function concludeTurn(context: ModelContext, message: ResultMessage): boolean {
  if (message.terminal_reason?.startsWith('aborted_') === true) {
    context.items.markStopped(l10n.t('Stopped.'));
    return false;
  }
  if (message.subtype === 'success' && message.is_error !== true) {
    drawUnseenAnswer(context, message);
    tellOfSearchOnly(context);
    return false;
  }
  const { apiFailure, refused } = context.turn;
  const failure: TurnFailure = {
    error: apiFailure?.error,
    status: message.api_error_status ?? apiFailure?.status,
    reason: message.terminal_reason,
    subtype: message.subtype,
    details: message.result ?? errorLines(message),
    refused,
  };
  const kind = turnFaultKind(failure);
  alert(context, message, turnFaultError(failure, kind));
  return !isLimit(kind);
}

/** What the CLI lists where it gives no text, without what is about its own inner state. */
function errorLines(message: ResultMessage): string | undefined {
  const lines = (message.errors ?? []).filter((line) => !line.startsWith(DIAGNOSTIC));
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** A turn that nobody asked for has no prompt of its own that Retry could send again. */
function alert(context: ModelContext, { origin }: ResultMessage, error: ErrorFields): void {
  const unasked = origin?.kind === 'task-notification';
  const actions = error.actions.filter((action) => !unasked || action !== 'retry');
  context.items.error({ ...error, actions });
}

/** A net under everything: an answer that no row brought is in the result as well. */
function drawUnseenAnswer(context: ModelContext, message: ResultMessage): void {
  if (context.items.drew || message.local_command !== undefined) return;
  if (message.result === undefined || message.result.trim() === '') return;
  addStreamedBlock(context, 'text', message.result, false, undefined);
}

/** The model found a tool, and the turn ended before it was called: to a reader that looks as if it ran. */
function tellOfSearchOnly({ items }: ModelContext): void {
  const last = items.lastBlock;
  if (last?.kind !== 'tool' || last.name !== 'ToolSearch') return;
  items.notice(
    l10n.t('The turn ended with the search for a tool; no tool was run. Ask once more.'),
    'warning',
  );
}

function updateUsage(context: ModelContext, message: ResultMessage): void {
  const { usage: memory } = context;
  const before = context.store.state.usage;
  const total = message.total_cost_usd;
  if (total !== undefined) {
    // It counts from 0 again: another process, whose start was not told.
    if (total < memory.processCostUsd) closeCost(memory);
    memory.processCostUsd = total;
  }
  const costUsd = conversationCost(memory);
  // A local command asks no model: the numbers of the last real turn stand.
  const asked = (message.num_turns ?? 0) > 0 && message.usage !== undefined;
  const next: Usage = {
    costUsd,
    inputTokens: asked ? inputTokens(message) : (before?.inputTokens ?? 0),
    outputTokens: asked ? (message.usage?.output_tokens ?? 0) : (before?.outputTokens ?? 0),
    turns: asked ? (message.num_turns ?? 0) : (before?.turns ?? 0),
    ...contextUse(context, message),
  };
  if (before === undefined && !asked && costUsd === 0) return;
  context.store.setFields({ usage: next });
}

function inputTokens({ usage }: ResultMessage): number {
  return (
    (usage?.input_tokens ?? 0) +
    (usage?.cache_read_input_tokens ?? 0) +
    (usage?.cache_creation_input_tokens ?? 0)
  );
}

function contextUse(
  { usage, store }: ModelContext,
  message: ResultMessage,
): Pick<Usage, 'contextFill' | 'contextTokens'> {
  const tokens = usage.contextTokens;
  if (tokens === undefined) return {};
  const models = new Map(Object.entries(message.modelUsage ?? {}));
  const model = usage.contextModel;
  // The wire names a model with its variant, such as `[1m]`, in one place and without in another.
  const named = [...models].find(([name]) => name === model || name.startsWith(`${model ?? ''}[`));
  const window = named?.[1].contextWindow;
  if (window === undefined || window <= 0) {
    const before = store.state.usage?.contextFill;
    return { contextTokens: tokens, ...(before === undefined ? {} : { contextFill: before }) };
  }
  return { contextTokens: tokens, contextFill: Math.min(1, tokens / window) };
}

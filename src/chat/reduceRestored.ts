import * as l10n from '@vscode/l10n';
import type { AssistantMessage, UserMessage } from '../protocol/conversationMessages';
import type { ChatEvent, RestoredMessage, RestoredPrompt } from './chatEvent';
import type { ModelContext } from './modelContext';
import { reduceAssistant } from './reduceAssistant';
import { reduceSystem } from './reduceSystem';
import { reduceUser } from './reduceTools';
import { turnFaultError } from './turnFaults';
import { clear, endTurn, submitPrompt } from './turnSteps';

/** What the CLI writes where the person pressed Stop. */
const STOPPED = '[Request interrupted by user';

/**
 * Draws a conversation from the disk with the reducers of a running one, before anything that was
 * said since. Times are those of its rows.
 */
export function reduceRestored(
  context: ModelContext,
  event: Extract<ChatEvent, { type: 'restored' }>,
): void {
  const { store, items, usage } = context;
  const since = [...store.state.items];
  clear(context);
  if (event.isCut) {
    items.notice(l10n.t('Earlier messages are not shown here. The agent still knows them.'));
  }
  for (const message of event.messages) {
    context.replay.at = timeOf(message) ?? context.replay.at;
    reduceMessage(context, message);
  }
  context.tools.endAll();
  context.replay.at = undefined;
  if (event.isInterrupted) interrupted(context);
  endTurn(context, 'idle');
  if (event.title !== undefined && event.title !== '') {
    usage.titleIsNamed = true;
    store.setFields({ title: event.title });
  }
  if (event.note !== undefined) items.notice(event.note);
  for (const item of since) store.addItem(item);
  if (event.usage === undefined) return;
  usage.endedCostUsd = event.usage.costUsd;
  usage.contextTokens = event.usage.contextTokens;
  store.setFields({ usage: event.usage });
}

function reduceMessage(context: ModelContext, message: RestoredMessage): void {
  if (message.type === 'interrupted') {
    interrupted(context);
    endTurn(context, 'idle');
  } else if (message.type === 'user') {
    reduceUserRow(context, message);
  } else if (message.type === 'assistant') {
    reduceAssistantRow(context, message);
  } else if (message.type === 'system') {
    reduceSystem(context, message);
    // The row that tells it opens a turn of its own.
    if (message.subtype === 'task_notification') endTurn(context, 'idle');
  }
  // Nothing else is kept on disk.
}

function reduceUserRow(context: ModelContext, message: UserMessage | RestoredPrompt): void {
  const { content } = message.message;
  if (typeof content !== 'string') {
    reduceUser(context, message);
  } else if (content.startsWith(STOPPED)) {
    context.items.markStopped(l10n.t('Stopped.'));
    endTurn(context, 'idle');
  } else {
    endTurn(context, 'idle');
    const { images, expansion } = 'images' in message ? message : {};
    const { uuid: wireId } = message;
    const id = wireId ?? context.items.nextId('u');
    submitPrompt(context, { id, text: content, wireId, images, expansion });
  }
}

function reduceAssistantRow(context: ModelContext, message: AssistantMessage): void {
  reduceAssistant(context, message);
  if (message.is_api_error_message !== true) return;
  // A running conversation hears it once more by the `result`, which no file has.
  const { content } = message.message;
  const words = typeof content === 'string' ? content : content.flatMap(wordsOf).join('\n');
  context.items.error(
    turnFaultError({
      error: message.error,
      status: message.api_error_status ?? undefined,
      reason: undefined,
      details: words,
      refused: context.turn.refused,
    }),
  );
  endTurn(context, 'idle');
}

function wordsOf(block: { readonly type: string; readonly text?: string }): readonly string[] {
  return block.type === 'text' && block.text !== undefined ? [block.text] : [];
}

/** A killed process: what ran will get no result, and the person is told why the answer is missing. */
function interrupted(context: ModelContext): void {
  context.tools.endAll();
  context.items.notice(l10n.t('Interrupted: the agent ended before the answer was complete.'));
}

/** Milliseconds since the epoch. */
function timeOf(message: RestoredMessage): number | undefined {
  if (message.type !== 'user' && message.type !== 'assistant') return undefined;
  const at = Date.parse(message.timestamp ?? '');
  return Number.isNaN(at) ? undefined : at;
}

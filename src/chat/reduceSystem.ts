import * as l10n from '@vscode/l10n';
import type { RateLimitEventMessage } from '../protocol/messages';
import type { SystemMessage, SystemMessageOf } from '../protocol/systemMessages';
import { oneLine } from './boundedText';
import type { ModelContext } from './modelContext';
import { retractRows } from './reduceAssistant';
import { discardUnconfirmed } from './reduceStream';
import { reduceTask } from './reduceTools';
import { retryWait } from './retryWait';

const NOTICE_LIMIT = 400;

/** Applies a `system` message. Kinds that say nothing to the person change nothing. */
export function reduceSystem(context: ModelContext, message: SystemMessage): void {
  switch (message.subtype) {
    case 'init':
      reduceInit(context, message);
      return;
    case 'status':
      reduceStatus(context, message);
      return;
    case 'api_retry':
      discardUnconfirmed(context);
      context.status.enterRetrying(retryWait(message, context.now()));
      return;
    case 'permission_denied':
      reduceTask(context, message);
      return;
    case 'task_started':
    case 'task_progress':
    case 'task_notification':
      context.tasks.receive(message);
      reduceTask(context, message);
      return;
    case 'task_updated':
    case 'background_tasks_changed':
      context.tasks.receive(message);
      return;
    case 'compact_boundary':
      reduceCompaction(context, message);
      return;
    case 'session_title_changed':
      context.usage.titleIsNamed = true;
      context.store.setFields({ title: message.title });
      return;
    case 'model_refusal_no_fallback':
      context.turn.refused = true;
      return;
    case 'model_refusal_fallback':
    case 'informational':
    case 'notification':
    case 'session_writes_lost':
      reduceNotice(context, message);
      return;
    case 'thinking_tokens':
    case 'session_state_changed':
    case 'commands_changed':
    case 'local_command_output':
    case 'worker_shutting_down':
    case 'unknown':
      return;
  }
}

type NoticeMessage = SystemMessageOf<
  'model_refusal_fallback' | 'informational' | 'notification' | 'session_writes_lost'
>;

function reduceNotice(context: ModelContext, message: NoticeMessage): void {
  switch (message.subtype) {
    case 'model_refusal_fallback':
      retractRows(context, message.retracted_message_uuids ?? []);
      context.items.notice(
        message.fallback_model === undefined
          ? l10n.t('The model declined; another model answers.')
          : l10n.t('The model declined; {0} answers.', message.fallback_model),
        'warning',
      );
      return;
    case 'informational':
      // `notice` and `info` are about the CLI's own workings, such as a retry after a refusal.
      if (message.level === 'warning' || message.level === 'error') {
        context.items.notice(oneLine(message.content, NOTICE_LIMIT), 'warning');
      }
      return;
    case 'notification':
      if (message.text !== undefined && message.text !== '') {
        context.items.notice(oneLine(message.text, NOTICE_LIMIT), 'warning');
      }
      return;
    case 'session_writes_lost':
      context.items.notice(
        l10n.t('The CLI could not save part of this conversation to disk.'),
        'warning',
      );
      return;
  }
}

/** Sent at the start of every turn, also of one that nobody asked for. */
function reduceInit(context: ModelContext, message: SystemMessageOf<'init'>): void {
  if (message.permissionMode !== undefined)
    context.store.setFields({ mode: message.permissionMode });
  // The picker's own word for the model stands; this is the name it resolves to.
  if (message.model !== undefined && context.store.state.model === '') {
    context.store.setFields({ model: message.model });
  }
  if (!context.status.isActive) context.status.enter('waitingForModel');
}

function reduceStatus(context: ModelContext, message: SystemMessageOf<'status'>): void {
  if (message.permissionMode !== undefined)
    context.store.setFields({ mode: message.permissionMode });
  if (message.compact_result !== undefined && message.compact_result !== 'success') {
    context.items.notice(
      l10n.t('The conversation could not be compacted. It is unchanged.'),
      'warning',
    );
  }
  if (message.status === 'requesting') context.status.enter('waitingForModel');
  else if (message.status === 'compacting') context.status.enter('working');
}

function reduceCompaction(
  context: ModelContext,
  message: SystemMessageOf<'compact_boundary'>,
): void {
  context.turn.replaysOldRows = true;
  const { pre_tokens: before, post_tokens: after } = message.compact_metadata ?? {};
  if (after !== undefined) context.usage.contextTokens = after;
  context.items.notice(
    before === undefined || after === undefined
      ? l10n.t('The conversation was compacted.')
      : l10n.t('The conversation was compacted, from {0} to {1} tokens.', before, after),
  );
}

/** Only a limit that is reached is told; that all is well comes with nearly every turn. */
export function reduceRateLimit(context: ModelContext, message: RateLimitEventMessage): void {
  const { status, resetsAt } = message.rate_limit_info;
  if (status !== 'rejected') return;
  context.items.notice(
    resetsAt === undefined
      ? l10n.t('The usage limit of your plan is reached.')
      : l10n.t(
          'The usage limit of your plan is reached until {0}.',
          new Date(resetsAt * 1000).toLocaleTimeString(),
        ),
    'warning',
  );
}

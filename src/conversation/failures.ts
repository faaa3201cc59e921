import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import type { ErrorFields } from '../chat/chatEvent';
import type { QueuedPrompt, ViewState } from '../chat/viewStateProtocol';
import type { CliExit } from '../cli/lineTransport';

/** What an alert says of an error: a {@link UserFacingError} word for word, all else in its details. */
export function failureOf(error: unknown): ErrorFields {
  if (error instanceof UserFacingError) {
    return {
      message: error.message,
      kept: error.kept ?? l10n.t('Your message is kept.'),
      next: error.next,
      details: error.details,
      actions: ['retry', 'openSettings', 'showLog'],
    };
  }
  return {
    message: l10n.t('The message could not be sent.'),
    kept: l10n.t('Your message is kept.'),
    next: l10n.t('Try again; the log says more.'),
    details: errorMessage(error),
    actions: ['retry', 'showLog'],
  };
}

/** What an alert says when the process ended by itself. */
export function exitFailure(exit: CliExit, wasRunning: boolean): ErrorFields {
  const how =
    exit.signal !== null
      ? l10n.t('The agent was ended by signal {0}.', exit.signal)
      : l10n.t('The agent ended unexpectedly with exit code {0}.', String(exit.code ?? '?'));
  return {
    message: how,
    kept: wasRunning
      ? l10n.t('The conversation and your message are kept.')
      : l10n.t('The conversation is kept.'),
    next: l10n.t('Retry starts it again and sends the message once more.'),
    details: exit.stderrTail === '' ? undefined : exit.stderrTail,
    actions: ['retry', 'showLog'],
  };
}

/**
 * The prompt that an alert is about: the last one above it. `isLast`: the person has said nothing
 * since. Undefined where there is no such alert (any more) or no prompt.
 */
export function failedPrompt(
  view: Pick<ViewState, 'items'>,
  alertId: string,
): { readonly prompt: QueuedPrompt; readonly isLast: boolean } | undefined {
  const at = view.items.findIndex((item) => item.id === alertId && item.kind === 'error');
  const isPrompt = (item: ViewState['items'][number]): boolean => item.kind === 'user';
  const prompt = view.items.slice(0, Math.max(at, 0)).filter(isPrompt).at(-1);
  if (prompt?.kind !== 'user') return undefined;
  return {
    prompt: { id: prompt.id, text: prompt.text },
    isLast: !view.items.slice(at).some(isPrompt),
  };
}

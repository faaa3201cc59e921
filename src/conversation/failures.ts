import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import type { ErrorFields } from '../chat/chatEvent';
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

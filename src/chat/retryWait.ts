import * as l10n from '@vscode/l10n';
import type { SystemMessageOf } from '../protocol/systemMessages';
import { turnFaultKind, type TurnFaultKind } from './turnFaultKind';
import type { RetryWait } from './viewStateProtocol';

/** What the panel shows while the CLI waits to ask the API again. `now`: milliseconds since the epoch. */
export function retryWait(message: SystemMessageOf<'api_retry'>, now: number): RetryWait {
  const { attempt, max_retries: most, retry_delay_ms: delay } = message;
  return {
    at: now + (delay ?? 0),
    reason: retryReason(message),
    ...(attempt === undefined ? {} : { attempt }),
    ...(most === undefined ? {} : { most }),
  };
}

/** One line: why it is tried again. */
function retryReason(message: SystemMessageOf<'api_retry'>): string {
  if (message.no_response !== undefined) return l10n.t('The API did not answer in time.');
  const status = message.error_status ?? undefined;
  const kind = turnFaultKind({
    error: message.error,
    status,
    reason: undefined,
    details: undefined,
    refused: false,
  });
  return reasonOf(kind, status);
}

const reasons: Partial<Readonly<Record<TurnFaultKind, () => string>>> = {
  keyRejected: () => l10n.t('The API did not accept your login or key.'),
  accessDenied: () => l10n.t('The API did not accept your login or key.'),
  notLoggedIn: () => l10n.t('The API did not accept your login or key.'),
  rateLimited: () => l10n.t('The API takes no more requests for now.'),
  overloaded: () => l10n.t('The API is overloaded.'),
};

function reasonOf(kind: TurnFaultKind, status: number | undefined): string {
  const known = reasons[kind]?.();
  if (known !== undefined) return known;
  // A cut connection has neither a status nor a kind.
  return status === undefined
    ? l10n.t('The connection to the API was lost.')
    : l10n.t('The API had an error (status {0}).', status);
}

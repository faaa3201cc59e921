import * as l10n from '@vscode/l10n';
import type { CallProgress } from '../mcp/callContext';

/** How far a call is, in the few words that its row has room for. */
export function describeProgress({
  done,
  total,
  message,
}: Pick<CallProgress, 'done' | 'total' | 'message'>): string {
  const figure =
    total === undefined || total <= 0
      ? ''
      : l10n.t('{0} of {1}', done.toLocaleString(), total.toLocaleString());
  return [figure, message ?? ''].filter((part) => part !== '').join(' · ');
}

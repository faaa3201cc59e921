import { useEffect } from 'preact/hooks';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useNow } from './useNow';
import { retryCountdown, retryTry } from './words';

/**
 * While the CLI waits to ask the API again: why, when, and which try it is. The countdown is not
 * read out each second; the reason is said once.
 */
export function RetryLine() {
  const { store, announcer } = usePanel();
  store.watch('fields');
  const { retry } = store.current.status;
  const now = useNow(retry !== undefined);
  const spoken = retry && [retry.reason, retryTry(retry)].filter(Boolean).join(' ');
  useEffect(() => {
    if (spoken !== undefined) announcer.say(spoken);
  }, [spoken, announcer]);
  if (!retry) return null;
  return (
    <p class="quiet-line retry-line">
      <Icon name="history" class="retry-sign" />
      <span>
        <span dir="auto">{retry.reason}</span>{' '}
        <span class="retry-countdown">{retryCountdown(retry, now)}</span>{' '}
        <span class="retry-try">{retryTry(retry)}</span>
      </span>
    </p>
  );
}

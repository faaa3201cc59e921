import * as l10n from '@vscode/l10n';
import { usePanel } from './panelContext';
import { useNow } from './useNow';
import { waitWords } from './words';

/**
 * How long nothing has come, beside the state in words. Silence ends nothing: it is only shown, and
 * Stop is there. Not part of the state, so that it is not read out each second.
 */
export function WaitNote() {
  const { store } = usePanel();
  store.watch('fields');
  const { status } = store.current;
  const waits =
    status.since !== undefined || status.kind === 'working' || status.kind === 'retrying';
  const now = useNow(waits);
  const words = waitWords(status, store.lastChange, now);
  if (!waits || words === undefined) return null;
  return (
    <span
      class="wait-note"
      title={l10n.t('Nothing is ended because it takes long. Stop ends the turn.')}
    >
      {words}
    </span>
  );
}

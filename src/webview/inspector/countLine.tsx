import * as l10n from '@vscode/l10n';
import { Icon } from '../icon';
import { useInspector } from './inspectorContext';

/** How much there is, and what is not shown. */
export function CountLine() {
  const { store } = useInspector();
  const { dropped, missed } = store.counts.value;
  const all = store.rows.value.length;
  const shown = store.shown.value.length;
  const waiting = store.rows.value.filter(({ state }) => state === 'waiting').length;
  return (
    <div class="count-line">
      <span>
        {shown === all
          ? l10n.t('{0} frames', all.toLocaleString())
          : l10n.t('{0} of {1} frames', shown.toLocaleString(), all.toLocaleString())}
      </span>
      {waiting > 0 && <span>{l10n.t('{0} waiting', waiting.toLocaleString())}</span>}
      {dropped > 0 && (
        <span title={l10n.t('The oldest are dropped, so that memory stays bounded')}>
          {l10n.t('{0} older dropped', dropped.toLocaleString())}
        </span>
      )}
      {store.isPaused.value && (
        <span class="paused">
          <Icon name="debug-pause" />
          {l10n.t('Paused, {0} new', missed.toLocaleString())}
        </span>
      )}
    </div>
  );
}

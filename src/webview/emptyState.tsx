import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import { usePanel } from './panelContext';

/** Offers what the editor already knows; with nothing to offer it only asks. */
export function EmptyState() {
  const { store, composer } = usePanel();
  store.watch('fields');
  const { suggestions, toolCount, sendKey, setUp } = store.current;
  return (
    <div class="empty">
      <h2>{l10n.t('What shall we work on?')}</h2>
      {/* What nobody can answer yet is not offered. */}
      {setUp === undefined &&
        suggestions.map((offer) => (
          <button
            key={offer.id}
            type="button"
            class="suggestion"
            onClick={() => composer.submitText(offer.prompt)}
          >
            <Icon name={offer.icon} />
            <span class="suggestion-title">{offer.title}</span>
            <span class="suggestion-detail">{offer.detail}</span>
          </button>
        ))}
      <p class="empty-hint">
        {sendKey === 'enter'
          ? l10n.t('Enter sends, Shift+Enter breaks the line')
          : l10n.t('Ctrl+Enter sends, Enter breaks the line')}
        {toolCount > 0 && ` · ${l10n.t('{0} editor tools ready', toolCount)}`}
      </p>
    </div>
  );
}

import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import { usePanel } from './panelContext';

/** What is selected in the editor: it goes with the message while this is pressed. */
export function SelectionChip() {
  const { store, post } = usePanel();
  store.watch('fields');
  const { selection } = store.current;
  if (!selection) return null;
  const { label, place, isOn, isLong } = selection;
  const fate = !isOn
    ? l10n.t('Not sent. Click to send what you select with your messages.')
    : isLong
      ? l10n.t('Too long to be sent: the agent is told its place. Click to send no selections.')
      : l10n.t('Goes with your message. Click to send no selections.');
  return (
    <div class="context-row">
      <button
        type="button"
        class="selection-chip"
        aria-pressed={isOn}
        aria-label={l10n.t('Selection: {0}', label)}
        title={`${place}\n${fate}`}
        onClick={() => post({ type: 'attachSelection', isOn: !isOn })}
      >
        <Icon name={isOn ? 'list-selection' : 'eye-closed'} />
        <span class="selection-label">{label}</span>
      </button>
    </div>
  );
}

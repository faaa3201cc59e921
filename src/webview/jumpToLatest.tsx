import * as l10n from '@vscode/l10n';
import { Icon } from './icon';

/** Only there while the reader is not at the end. */
export function JumpToLatest({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="jump" onClick={onClick}>
      <Icon name="arrow-down" />
      <span>{l10n.t('Jump to latest')}</span>
    </button>
  );
}

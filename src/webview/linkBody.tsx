import * as l10n from '@vscode/l10n';
import type { LinkCard } from '../chat/askProtocol';
import { Icon } from './icon';

/** A page that a server wants to be opened: first where it leads, then the whole address. */
export function LinkBody({ card }: { readonly card: LinkCard }) {
  return (
    <>
      <div class="link-target">
        {card.host === undefined ? (
          <p class="field-problem">
            <Icon name="error" />
            <span>{l10n.t('This is not an address of the web, so it is not opened.')}</span>
          </p>
        ) : (
          <p class="link-host" dir="ltr">
            <span class="sr-only">{l10n.t('Opens')} </span>
            {card.host}
          </p>
        )}
        <pre class="card-thing" tabIndex={0} dir="ltr" role="group" aria-label={l10n.t('Address')}>
          {card.url}
        </pre>
      </div>
      {card.message !== '' && (
        <p class="ask-message" dir="auto">
          {card.message}
        </p>
      )}
    </>
  );
}

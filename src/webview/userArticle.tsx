import * as l10n from '@vscode/l10n';
import type { UserItem } from '../chat/viewStateProtocol';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** What the person said: plain text as typed, in the one box of the transcript that is not a decision. */
export function UserArticle({ item }: { readonly item: UserItem }) {
  const { post } = usePanel();
  const headingId = `h-${item.id}`;
  return (
    <article class="user" aria-labelledby={headingId}>
      <h2 class="sr-only" id={headingId}>
        {l10n.t('You')}
      </h2>
      <div class="user-text" dir="auto">
        {item.text}
      </div>
      <div class="article-actions">
        <IconButton
          icon="copy"
          name={l10n.t('Copy')}
          onClick={() => post({ type: 'copy', text: item.text })}
        />
      </div>
    </article>
  );
}

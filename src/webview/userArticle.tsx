import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { ExpansionPart, UserItem } from '../chat/viewStateProtocol';
import { ArticleActions } from './articleActions';
import { Icon } from './icon';

/** What the person said: plain text as typed, in the one box of the transcript that is not a decision. */
export function UserArticle({ item }: { readonly item: UserItem }) {
  const headingId = `h-${item.id}`;
  return (
    <article class="user" data-item={item.id} tabIndex={-1} aria-labelledby={headingId}>
      <h2 class="sr-only" id={headingId}>
        {l10n.t('You')}
      </h2>
      <div class="user-text" dir="auto" data-find={item.id}>
        {item.text}
      </div>
      {item.expansion?.map((part, index) => (
        <Expansion key={index} part={part} />
      ))}
      <ArticleActions item={item} />
    </article>
  );
}

/** What the model got with the words: folded, since the person knows what they named. */
function Expansion({ part }: { readonly part: ExpansionPart }) {
  const [open, setOpen] = useState(false);
  return (
    <div class="expansion">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="expansion-title">{l10n.t('Sent: {0}', part.title)}</span>
      </button>
      {open && (
        <div class="expansion-text" dir="auto" tabIndex={0} role="group" aria-label={part.title}>
          {part.text}
        </div>
      )}
    </div>
  );
}

import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { pinKeyAt } from '../chat/pinProtocol';
import type { AssistantItem, UserItem } from '../chat/viewStateProtocol';
import { articleMarkdown } from './articleText';
import { ForkActions } from './forkActions';
import { IconButton } from './icon';
import { usePanel } from './panelContext';
import { asQuote, selectedMarkdown } from './quote';

type ArticleItem = UserItem | AssistantItem;

/** The buttons of an article, in the contract's order: for all articles first, then for some. */
export function ArticleActions({ item }: { readonly item: ArticleItem }) {
  return (
    // What is selected stays selected: pressing must not begin a selection of its own.
    <div class="article-actions" onMouseDown={(event) => event.preventDefault()}>
      <CopyAction item={item} />
      <QuoteAction item={item} />
      <ForkActions item={item} />
      {item.kind === 'assistant' && <PinAction item={item} />}
    </div>
  );
}

function CopyAction({ item }: { readonly item: ArticleItem }) {
  const { post } = usePanel();
  return (
    <IconButton
      icon="copy"
      name={l10n.t('Copy')}
      onClick={() => post({ type: 'copy', text: articleMarkdown(item) })}
    />
  );
}

/** Keeps the answer in sight, as a line above the transcript. */
function PinAction({ item }: { readonly item: AssistantItem }) {
  const { reading, store } = usePanel();
  const key = pinKeyAt(store.current.items, store.placeOf(item.id), item.id);
  const isPinned = reading.pinned.value.includes(key);
  return (
    <IconButton
      icon={isPinned ? 'pinned' : 'pin'}
      name={isPinned ? l10n.t('Unpin') : l10n.t('Pin')}
      onClick={() => reading.togglePin(key)}
    />
  );
}

/** Puts what is selected in the article into the input as a quotation; with nothing selected all of it. */
function QuoteAction({ item }: { readonly item: ArticleItem }) {
  const { composer } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <IconButton
      icon="quote"
      name={l10n.t('Quote')}
      buttonRef={button}
      onClick={() => {
        const article = button.current?.closest('article');
        const selected = article ? selectedMarkdown(article) : undefined;
        composer.insert(asQuote(selected ?? articleMarkdown(item)));
      }}
    />
  );
}

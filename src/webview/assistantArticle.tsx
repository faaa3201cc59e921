import * as l10n from '@vscode/l10n';
import type { AssistantItem } from '../chat/viewStateProtocol';
import { ArticleActions } from './articleActions';
import { isAnswer } from './articleText';
import { BlockList } from './blockList';
import { usePanel } from './panelContext';
import { isRunning } from './words';

/** One turn of the model: text, thinking and tool calls in order of arrival. */
export function AssistantArticle({ item }: { readonly item: AssistantItem }) {
  const { store } = usePanel();
  store.watch(`item:${item.id}`);
  const headingId = `h-${item.id}`;
  return (
    <article class="assistant" data-item={item.id} tabIndex={-1} aria-labelledby={headingId}>
      <h2 class="sr-only" id={headingId}>
        {l10n.t('Claude')}
      </h2>
      <BlockList item={item} parentId={undefined} />
      {item.stopped && <p class="quiet-line">{l10n.t('Stopped')}</p>}
      {item.blocks.some(isAnswer) ? <ArticleActions item={item} /> : <WorkActions item={item} />}
    </article>
  );
}

/** Of an answer without words, once it is over: words may still come before. */
function WorkActions({ item }: { readonly item: AssistantItem }) {
  const { store } = usePanel();
  store.watch('fields');
  store.watch('items');
  const { status, items } = store.current;
  const isOver = !isRunning(status) || items.at(-1)?.id !== item.id;
  return isOver && item.blocks.length > 0 ? <ArticleActions item={item} /> : null;
}

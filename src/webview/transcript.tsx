import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { assertNever } from '../base/assertNever';
import { AssistantArticle } from './assistantArticle';
import { EmptyState } from './emptyState';
import { ErrorAlert } from './errorAlert';
import { FindBar } from './findBar';
import { JumpToLatest } from './jumpToLatest';
import { NoticeLine } from './noticeLine';
import { usePanel } from './panelContext';
import { RetryLine } from './retryLine';
import { useFind } from './useFind';
import { PinnedList } from './pinnedList';
import { useFollow } from './useFollow';
import { useReading } from './useReading';
import { useSymbols } from './useSymbols';
import { UserArticle } from './userArticle';
import { WaitingCards } from './waitingCards';

/** Items drawn at first and added per step backwards: with all of a long talk drawn, streaming stalls. */
const WINDOW = 60;

/** The conversation. Silent on its own (`aria-live` off): what is to be heard is said by the live region. */
export function Transcript() {
  const { store } = usePanel();
  store.watch('items');
  store.watch('fields');
  const { scroller, content, atEnd, toEnd } = useFollow();
  const [shown, setShown] = useState(WINDOW);
  const { items, permissions, asks } = store.current;
  const first = Math.max(0, items.length - shown);
  useFind(content, shown, setShown);
  useReading(content, shown, setShown);
  useSymbols(content);
  const empty = items.length === 0 && permissions.length === 0 && asks.length === 0;
  return (
    <div class="transcript">
      <FindBar />
      <PinnedList />
      <div
        ref={scroller}
        role="log"
        class="scroller"
        tabIndex={0}
        aria-live="off"
        aria-label={l10n.t('Conversation')}
      >
        <div ref={content} class="column">
          {empty && <EmptyState />}
          {first > 0 && <Earlier key={first} onReached={() => setShown(shown + WINDOW)} />}
          {items.slice(first).map((item) => (
            <ItemView key={item.id} id={item.id} />
          ))}
          <RetryLine />
          <WaitingCards />
        </div>
      </div>
      {!atEnd && (
        <JumpToLatest
          onClick={() => {
            setShown(WINDOW);
            toEnd();
          }}
        />
      )}
    </div>
  );
}

/** Reached by scrolling back; draws the items before it. */
function Earlier({ onReached }: { readonly onReached: () => void }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!line.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onReached();
      },
      { root: line.current.closest('.scroller'), rootMargin: '800px 0px 0px' },
    );
    observer.observe(line.current);
    return () => observer.disconnect();
  }, [onReached]);
  return <div class="earlier" ref={line} />;
}

function ItemView({ id }: { readonly id: string }) {
  const { store } = usePanel();
  store.watch(`item:${id}`);
  const item = store.item(id);
  switch (item?.kind) {
    case undefined:
      return null;
    case 'user':
      return <UserArticle item={item} />;
    case 'assistant':
      return <AssistantArticle item={item} />;
    case 'error':
      return <ErrorAlert item={item} />;
    case 'notice':
      return <NoticeLine item={item} />;
    default:
      return assertNever(item, 'item');
  }
}

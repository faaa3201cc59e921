import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type { TranscriptItem } from '../chat/viewStateProtocol';
import { AssistantArticle } from './assistantArticle';
import { EmptyState } from './emptyState';
import { ErrorAlert } from './errorAlert';
import { FindBar } from './findBar';
import { JumpToLatest } from './jumpToLatest';
import { NoticeLine } from './noticeLine';
import { usePanel } from './panelContext';
import { RetryLine } from './retryLine';
import type { Run } from './rowWindow';
import { selectTranscript } from './selectTranscript';
import { useFind } from './useFind';
import { PinnedList } from './pinnedList';
import { useReading } from './useReading';
import { useRows } from './useRows';
import { useSymbols } from './useSymbols';
import { UserArticle } from './userArticle';
import { WaitingCards } from './waitingCards';

/** The conversation. Silent on its own (`aria-live` off): what is to be heard is said by the live region. */
export function Transcript() {
  const { store } = usePanel();
  store.watch('items');
  return (
    <div class="transcript">
      <FindBar />
      <PinnedList />
      {/* Another conversation is a new one: it begins at its end, with nothing open. */}
      <Talk key={store.talk} />
    </div>
  );
}

function Talk() {
  const { store } = usePanel();
  store.watch('items');
  store.watch('fields');
  const { scroller, content, rows } = useRows();
  const drawn = rows.version.value;
  const { items, permissions, asks } = store.current;
  const runs = rows.runs(items);
  useFind(content, rows, drawn);
  useReading(rows, drawn);
  useSymbols(content);
  const empty = items.length === 0 && permissions.length === 0 && asks.length === 0;
  return (
    <>
      <div
        ref={scroller}
        role="log"
        class="scroller"
        tabIndex={0}
        aria-live="off"
        aria-label={l10n.t('Conversation')}
        onKeyDown={selectTranscript}
      >
        <div ref={content} class="column">
          {empty && <EmptyState />}
          {runs.flatMap((run) => drawRun(run, items))}
          <RetryLine />
          <WaitingCards />
        </div>
      </div>
      {!rows.atEnd.value && <JumpToLatest onClick={() => rows.toEnd()} />}
    </>
  );
}

/** An empty place has a new element whenever it changes: no row is moved for its sake, and loses the focus. */
function drawRun(run: Run, items: readonly TranscriptItem[]) {
  if (run.kind === 'gap') {
    const { from, to, height } = run;
    const places = { 'data-from': from, 'data-to': to };
    return [
      <div
        key={`gap:${from}-${to}`}
        class="gap"
        {...places}
        style={{ blockSize: `${height}px` }}
      />,
    ];
  }
  return items.slice(run.from, run.to).map(({ id }) => (
    <div key={id} class="transcript-row" data-row={id}>
      <ItemView id={id} />
    </div>
  ));
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

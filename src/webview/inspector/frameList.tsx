import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { FOLLOWING, follow, type FollowState } from '../followScroll';
import { FrameLine } from './frameLine';
import { useInspector } from './inspectorContext';
import { ROW_HEIGHT, rowAfterKey, scrollTopFor, visibleRows } from './visibleRows';

/** The frames, of which only those are drawn that can be seen. It stays at its end while one is there. */
export function FrameList() {
  const { store } = useInspector();
  const { value: rows } = store.shown;
  const { value: selected } = store.selected;
  const { scroller, box, move } = useRowScroll(rows.length, rows[0]?.n);
  const at = selected === undefined ? -1 : rows.findIndex(({ n }) => n === selected);
  const { first, end } = visibleRows(rows.length, box.value.top, box.value.height);
  useRevealed(at, move);
  useFocusRequests(scroller);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressed(event.key)) event.preventDefault();
  };
  const pressed = (key: string): boolean => {
    const page = Math.max(1, Math.floor(box.value.height / ROW_HEIGHT) - 1);
    const next = rowAfterKey(key, at, rows.length, page);
    const row = next === undefined ? undefined : rows[next];
    if (row) store.select(row.n);
    else if (key === 'Escape' && selected !== undefined) store.closeDetail();
    else if (key === 'Enter' && at >= 0) document.getElementById('frame-json')?.focus();
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const partner = rows[at]?.partner;
      if (partner !== undefined) store.reveal(partner);
    } else return false;
    return true;
  };

  return (
    <div class="list">
      <Heads />
      <div
        ref={scroller}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label={l10n.t('Frames')}
        aria-activedescendant={at >= first && at < end ? `frame-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="rows-all" style={{ blockSize: `${rows.length * ROW_HEIGHT}px` }}>
          {rows.slice(first, end).map((row, index) => (
            <FrameLine
              key={row.n}
              row={row}
              place={first + index}
              count={rows.length}
              isSelected={row.n === selected}
              onSelect={() => store.select(row.n)}
            />
          ))}
        </div>
      </div>
      {rows.length === 0 && <Empty />}
    </div>
  );
}

function Heads() {
  return (
    <div class="heads row-grid" aria-hidden="true">
      <span>{l10n.t('Time')}</span>
      <span />
      <span>{l10n.t('Kind')}</span>
      <span>{l10n.t('Frame')}</span>
      <span class="col-id">{l10n.t('Id')}</span>
      <span class="col-number">{l10n.t('Size')}</span>
      <span class="col-number">{l10n.t('Answer')}</span>
    </div>
  );
}

function Empty() {
  const { store } = useInspector();
  if (store.rows.value.length === 0) {
    return (
      <div class="nothing">
        <p class="nothing-title">{l10n.t('No frames yet')}</p>
        <p>
          {l10n.t(
            'What Patchbay and the agent say to each other appears here from now on. Send a message in the chat.',
          )}
        </p>
      </div>
    );
  }
  return (
    <div class="nothing">
      <p class="nothing-title">{l10n.t('No frame matches the filter')}</p>
      <button type="button" class="button secondary" onClick={() => store.showAll()}>
        {l10n.t('Show all')}
      </button>
    </div>
  );
}

/** What of the list can be seen, and how it moves; it follows its end while it stands there. */
function useRowScroll(count: number, oldest: number | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const state = useRef<FollowState>(FOLLOWING);
  const box = useSignal({ top: 0, height: 0 });

  const look = (element: HTMLElement): void => {
    const { scrollTop: top, scrollHeight: height, clientHeight: client } = element;
    state.current = follow(state.current, { top, height, client });
    const { value: known } = box;
    if (known.top !== top || known.height !== client) box.value = { top, height: client };
  };
  const move = (to: (top: number, height: number) => number): void => {
    const { current: element } = scroller;
    if (!element) return;
    element.scrollTop = to(element.scrollTop, element.clientHeight);
    // Now, and not with the scroll event: what is looked at must be drawn in this step.
    look(element);
  };

  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (!element) return undefined;
    const looked = () => look(element);
    const observer = new ResizeObserver(() => {
      const { following } = state.current;
      looked();
      if (following) move(() => element.scrollHeight);
    });
    observer.observe(element);
    element.addEventListener('scroll', looked, { passive: true });
    looked();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', looked);
    };
  }, []);

  useLayoutEffect(() => {
    if (state.current.following) move((_top, height) => count * ROW_HEIGHT - height);
    else move((top) => top);
  }, [count, oldest]);

  return { scroller, box, move };
}

/** What is selected can be seen, whatever selected it. */
function useRevealed(
  at: number,
  move: (to: (top: number, height: number) => number) => void,
): void {
  const { store } = useInspector();
  const { value: selected } = store.selected;
  useLayoutEffect(() => {
    if (at >= 0) move((top, height) => scrollTopFor(at, top, height));
  }, [selected]);
}

/** In the same step as the drawing: a key right after it must find the list. */
function useFocusRequests(scroller: { readonly current: HTMLElement | null }): void {
  const { store } = useInspector();
  const { value: requests } = store.focusRequests;
  useLayoutEffect(() => {
    if (requests > 0) scroller.current?.focus();
  }, [requests]);
}

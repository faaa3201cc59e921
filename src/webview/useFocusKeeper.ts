import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './panelContext';

/** Where the focus was: enough to find a place beside it once it is gone. */
interface Place {
  readonly element: HTMLElement;
  /** Of the row of a list that holds it. */
  readonly row?: { readonly list: Element; readonly at: number };
  readonly isInArticle: boolean;
}

/**
 * A control goes with what it did: a row that is removed, a turn that is stopped, an alert that is
 * answered. The focus that was on it goes to the row in its place, else into the conversation when it
 * was in an article, else to the message: never to nothing, where keys and screen reader are lost.
 */
export function useFocusKeeper(): RefObject<HTMLElement | null> {
  const { composer } = usePanel();
  const root = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const main = root.current;
    if (!main) return undefined;
    let last: Place | undefined;
    const focused = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = placeOf(target);
    };
    // A press beside all controls takes the focus away on purpose.
    const pressed = ({ target }: Event) => {
      if (target instanceof Node && last?.element.contains(target) !== true) last = undefined;
    };
    const check = () => {
      if (!last || !isGone(last.element) || !document.hasFocus()) return;
      const { activeElement } = document;
      if (
        activeElement !== null &&
        activeElement !== document.body &&
        activeElement !== last.element
      )
        return;
      const place = last;
      last = undefined;
      const beside = besideOf(place, main);
      if (beside) beside.focus({ preventScroll: place.isInArticle });
      else composer.requestFocus();
    };
    // Told before the next key is, other than with a frame.
    const observer = new MutationObserver(check);
    observer.observe(main, {
      ...{ childList: true, subtree: true, attributes: true },
      attributeFilter: ['disabled'],
    });
    main.addEventListener('focusin', focused);
    document.addEventListener('pointerdown', pressed, true);
    return () => {
      observer.disconnect();
      main.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', pressed, true);
    };
  }, [composer]);
  return root;
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('li');
  const list = row?.parentElement;
  return {
    element,
    ...(row && list ? { row: { list, at: [...list.children].indexOf(row) } } : {}),
    isInArticle: element.closest('article') !== null,
  };
}

function isGone(element: HTMLElement): boolean {
  return !element.isConnected || element.matches(':disabled');
}

/** The like control of the row that stands there now; for an article the conversation. */
function besideOf(
  { element, row, isInArticle }: Place,
  main: HTMLElement,
): HTMLElement | undefined {
  if (row?.list.isConnected === true) {
    const rows = row.list.children;
    const beside = rows[Math.min(row.at, rows.length - 1)];
    const controls = [...(beside?.querySelectorAll('button') ?? [])];
    const alike = controls.find(({ className }) => className === element.className);
    const same = controls.find(({ ariaLabel }) => ariaLabel === element.ariaLabel);
    const found = (element.ariaLabel === null ? undefined : same) ?? alike ?? controls[0];
    if (found) return found;
  }
  return isInArticle ? (main.querySelector<HTMLElement>('[role="log"]') ?? undefined) : undefined;
}

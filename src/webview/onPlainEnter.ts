import { isImeKey } from './composerKeys';

/** A key handler for Enter without anything beside it; an input method keeps its own. */
export function onPlainEnter(act: (() => void) | undefined) {
  return (event: KeyboardEvent): void => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== 'Enter' || !isPlain || isImeKey(event) || !act) return;
    event.preventDefault();
    act();
  };
}

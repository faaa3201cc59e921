import { isImeKey } from './composerKeys';
import { usePanel } from './panelContext';

/** For a card: Escape is neither an answer nor, further up, a stop of the turn. It only leads out. */
export function useEscapeLeaves(): (event: KeyboardEvent) => void {
  const { composer } = usePanel();
  return (event) => {
    if (isImeKey(event) || event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    composer.requestFocus();
  };
}

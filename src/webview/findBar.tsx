import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isImeKey } from './composerKeys';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** Finds in the whole conversation; over the transcript while it is open. */
export function FindBar() {
  const { find, openPopups, composer } = usePanel();
  const isOpen = find.isOpen.value;
  const requests = find.requests.value;
  const box = useRef<HTMLInputElement>(null);
  // Escape closes it and does not stop the turn.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    openPopups.value += 1;
    return () => {
      openPopups.value -= 1;
    };
  }, [isOpen, openPopups]);
  useLayoutEffect(() => box.current?.select(), [requests]);
  if (!isOpen) return null;
  const close = () => {
    find.close();
    composer.requestFocus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isImeKey(event)) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === box.current) {
      find.step(event.shiftKey ? 1 : -1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { query, matches, at } = find.view.value;
  return (
    <div
      role="search"
      class="find-bar"
      aria-label={l10n.t('Find in conversation')}
      onKeyDown={onKeyDown}
    >
      <input
        ref={box}
        type="text"
        class="input find-box"
        aria-label={l10n.t('Find')}
        placeholder={l10n.t('Find')}
        value={query}
        onInput={(event) => find.search(event.currentTarget.value)}
      />
      <span role="status" class="find-count">
        {query !== '' && countWords(at, matches.length)}
      </span>
      <IconButton icon="arrow-up" name={l10n.t('Previous match')} onClick={() => find.step(-1)} />
      <IconButton icon="arrow-down" name={l10n.t('Next match')} onClick={() => find.step(1)} />
      <IconButton icon="close" name={l10n.t('Close find')} onClick={close} />
    </div>
  );
}

function countWords(at: number, count: number): string {
  return count === 0 ? l10n.t('No matches') : l10n.t('{0} of {1}', at + 1, count);
}

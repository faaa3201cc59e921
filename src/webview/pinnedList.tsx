import * as l10n from '@vscode/l10n';
import { useLayoutEffect } from 'preact/hooks';
import { pinKey, pinnedAnswers } from '../chat/pinProtocol';
import { articleMarkdown } from './articleText';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';

/** Pinned answers above the transcript, a line each: a press leads there. */
export function PinnedList() {
  const { store, reading } = usePanel();
  store.watch('items');
  store.watch('fields');
  const { items: all, pins } = store.current;
  // They come back with the conversation, which may be drawn before it is read from the disk.
  useLayoutEffect(() => reading.startPins(pins ?? []), [reading, pins]);
  const items = pinnedAnswers(all, reading.pinned.value);
  if (items.length === 0) return null;
  return (
    <ul class="pins" aria-label={l10n.t('Pinned answers')}>
      {items.map((item) => (
        <li key={item.id} class="pin">
          <Icon name="pinned" />
          <button type="button" class="pin-button" onClick={() => reading.jumpTo(item.id)}>
            {firstWords(articleMarkdown(item))}
          </button>
          <IconButton
            icon="close"
            name={l10n.t('Unpin')}
            onClick={() => reading.togglePin(pinKey(all, item.id))}
          />
        </li>
      ))}
    </ul>
  );
}

function firstWords(markdown: string): string {
  const line = markdown
    .slice(0, 400)
    .split('\n')
    .find((one) => /[\p{L}\p{N}]/u.test(one));
  return (line ?? '').replace(/^[#>\s*-]+|[*`]+/g, '').trim() || l10n.t('Answer');
}

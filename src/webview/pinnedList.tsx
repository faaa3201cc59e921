import * as l10n from '@vscode/l10n';
import { articleMarkdown } from './articleText';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';

/** Pinned answers above the transcript, a line each: a press leads there. */
export function PinnedList() {
  const { store, reading } = usePanel();
  store.watch('items');
  const items = reading.pinned.value.flatMap((id) => store.item(id) ?? []);
  if (items.length === 0) return null;
  return (
    <ul class="pins" aria-label={l10n.t('Pinned answers')}>
      {items.map((item) => (
        <li key={item.id} class="pin">
          <Icon name="pinned" />
          <button type="button" class="pin-button" onClick={() => reading.jumpTo(item.id)}>
            {firstWords(item.kind === 'assistant' ? articleMarkdown(item) : '')}
          </button>
          <IconButton
            icon="close"
            name={l10n.t('Unpin')}
            onClick={() => reading.togglePin(item.id)}
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

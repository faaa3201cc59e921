import * as l10n from '@vscode/l10n';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';

/** What waits to be sent, sitting on the message box. */
export function QueueList() {
  const { store } = usePanel();
  store.watch('fields');
  const { queue } = store.current;
  if (queue.length === 0) return null;
  return (
    <ul class="queue" aria-label={l10n.t('Queued messages')}>
      {queue.map((prompt, index) => (
        <QueueRow key={prompt.id} prompt={prompt} first={index === 0} />
      ))}
    </ul>
  );
}

function queueLabel({ held, leads }: QueuedPrompt, first: boolean): string {
  if (leads === true) return l10n.t('Before your next message');
  if (held === true) return l10n.t('Held');
  return first ? l10n.t('Next') : l10n.t('Then');
}

function QueueRow({ prompt, first }: { readonly prompt: QueuedPrompt; readonly first: boolean }) {
  const { post } = usePanel();
  const count = prompt.images?.length ?? 0;
  const act = (action: 'edit' | 'sendNow' | 'remove') => () =>
    post({ type: 'queue', promptId: prompt.id, action });
  return (
    <li class="queue-row">
      <span class="queue-label">{queueLabel(prompt, first)}</span>
      <span class="queue-text" dir="auto" title={prompt.text}>
        {prompt.text}
      </span>
      {count > 0 && (
        <span class="queue-pictures" role="img" aria-label={l10n.t('Pictures: {0}', count)}>
          <Icon name="file-media" />
          {count}
        </span>
      )}
      <IconButton icon="edit" name={l10n.t('Edit')} onClick={act('edit')} />
      <IconButton icon="run-all" name={l10n.t('Send now')} onClick={act('sendNow')} />
      <IconButton icon="close" name={l10n.t('Remove')} onClick={act('remove')} />
    </li>
  );
}

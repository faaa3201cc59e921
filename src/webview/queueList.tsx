import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QueueAction } from '../chat/viewProtocol';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';

/** What waits to be sent, sitting on the message box. */
export function QueueList() {
  const { store, announcer } = usePanel();
  const moved = useRef<{ readonly id: string; readonly focused: Element | null } | undefined>(
    undefined,
  );
  store.watch('fields');
  const { queue } = store.current;
  useLayoutEffect(() => {
    const { current } = moved;
    if (!current) return;
    moved.current = undefined;
    // A row that changes its place in the document loses the focus; one that went elsewhere stays there.
    const isLost = document.activeElement === document.body;
    if (isLost && current.focused instanceof HTMLElement) current.focused.focus();
    const at = queue.findIndex(({ id }) => id === current.id);
    if (at !== -1) announcer.say(l10n.t('Moved to place {0} of {1}', at + 1, queue.length));
  }, [queue, announcer]);
  if (queue.length === 0) return null;
  return (
    <ul class="queue" aria-label={l10n.t('Queued messages')}>
      {queue.map((prompt, index) => (
        <QueueRow
          key={prompt.id}
          prompt={prompt}
          isFirst={index === 0}
          isLast={index === queue.length - 1}
          onMove={() => {
            moved.current = { id: prompt.id, focused: document.activeElement };
          }}
        />
      ))}
    </ul>
  );
}

function queueLabel({ held, leads }: QueuedPrompt, first: boolean): string {
  if (leads === true) return l10n.t('Before your next message');
  if (held === true) return l10n.t('Held');
  return first ? l10n.t('Next') : l10n.t('Then');
}

interface RowProps {
  readonly prompt: QueuedPrompt;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** It is about to change its place. */
  readonly onMove: () => void;
}

function QueueRow({ prompt, isFirst, isLast, onMove }: RowProps) {
  const { post } = usePanel();
  const count = prompt.images?.length ?? 0;
  const act = (action: QueueAction) => () => post({ type: 'queue', promptId: prompt.id, action });
  const move = (action: 'moveUp' | 'moveDown') => {
    if (action === 'moveUp' ? isFirst : isLast) return;
    onMove();
    post({ type: 'queue', promptId: prompt.id, action });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = moveOfKey(event);
    if (action === undefined) return;
    event.preventDefault();
    // In the transcript these keys go through one's own messages.
    event.stopPropagation();
    move(action);
  };
  return (
    <li class="queue-row" onKeyDown={onKeyDown}>
      <span class="queue-label">{queueLabel(prompt, isFirst)}</span>
      <span class="queue-text" dir="auto" title={prompt.text}>
        {prompt.text}
      </span>
      {count > 0 && (
        <span class="queue-pictures" role="img" aria-label={l10n.t('Pictures: {0}', count)}>
          <Icon name="file-media" />
          {count}
        </span>
      )}
      {!(isFirst && isLast) && (
        <>
          <IconButton
            icon="chevron-up"
            name={l10n.t('Move up')}
            hint={l10n.t('Move up (Alt+Up)')}
            isOff={isFirst}
            onClick={() => move('moveUp')}
          />
          <IconButton
            icon="chevron-down"
            name={l10n.t('Move down')}
            hint={l10n.t('Move down (Alt+Down)')}
            isOff={isLast}
            onClick={() => move('moveDown')}
          />
        </>
      )}
      <IconButton icon="edit" name={l10n.t('Edit')} onClick={act('edit')} />
      <IconButton icon="run-all" name={l10n.t('Send now')} onClick={act('sendNow')} />
      <IconButton icon="close" name={l10n.t('Remove')} onClick={act('remove')} />
    </li>
  );
}

function moveOfKey(event: KeyboardEvent): 'moveUp' | 'moveDown' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  return key === 'ArrowUp' ? 'moveUp' : key === 'ArrowDown' ? 'moveDown' : undefined;
}

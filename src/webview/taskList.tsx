import * as l10n from '@vscode/l10n';
import type { BackgroundTask } from '../chat/viewStateProtocol';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';
import { useNow } from './useNow';
import { duration } from './words';

/** What runs in the background, sitting on the message box like the queue. */
export function TaskList() {
  const { store } = usePanel();
  store.watch('fields');
  const { tasks = [] } = store.current;
  const now = useNow(tasks.length > 0);
  if (tasks.length === 0) return null;
  return (
    <ul class="queue tasks" aria-label={l10n.t('Background tasks')}>
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} now={now} />
      ))}
    </ul>
  );
}

function TaskRow({ task, now }: { readonly task: BackgroundTask; readonly now: number }) {
  const { post } = usePanel();
  const { id, kind, title, progress, startedAt } = task;
  const words = progress === undefined ? title : `${title} · ${progress}`;
  const act = (action: 'stop' | 'show') => () => post({ type: 'task', taskId: id, action });
  return (
    <li class="queue-row">
      <Icon name="loading" spin class="task-sign" />
      <span class="queue-text" dir="auto" title={words}>
        {words}
      </span>
      {startedAt !== undefined && (
        <span class="figure" aria-hidden="true">
          {duration(Math.max(1, Math.floor((now - startedAt) / 1000)) * 1000)}
        </span>
      )}
      {kind === 'command' && (
        <IconButton icon="output" name={l10n.t('Output of {0}', title)} onClick={act('show')} />
      )}
      <IconButton icon="debug-stop" name={l10n.t('Stop {0}', title)} onClick={act('stop')} />
    </li>
  );
}

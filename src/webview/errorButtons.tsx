import type { ErrorAction } from '../chat/viewStateProtocol';
import { possibleActions, runErrorAction } from './errorActions';
import { usePanel } from './panelContext';
import { errorActionWords } from './words';

/** What the person can do, the most helpful first. */
export function ErrorButtons(props: {
  readonly itemId: string;
  readonly actions: readonly ErrorAction[];
}) {
  const panel = usePanel();
  const { store } = panel;
  store.watch('fields');
  const actions = possibleActions(props.actions, store.current.models.length);
  if (actions.length === 0) return null;
  return (
    <div class="alert-buttons">
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          class={`button ${index === 0 ? 'primary' : 'secondary'}`}
          data-once
          onClick={() => runErrorAction(panel, action, props.itemId)}
        >
          {errorActionWords(action)}
        </button>
      ))}
    </div>
  );
}

import { assertNever } from '../base/assertNever';
import type { ErrorAction, TranscriptItem } from '../chat/viewStateProtocol';
import type { Panel } from './panelContext';

/** The actions of an alert that can be done now: no model can be chosen before the list is there. */
export function possibleActions(
  actions: readonly ErrorAction[],
  modelCount: number,
): readonly ErrorAction[] {
  return actions.filter((action) => action !== 'chooseModel' || modelCount > 0);
}

/** Does what a button of an alert or of a quiet line says. */
export function runErrorAction(panel: Panel, action: ErrorAction, itemId: string): void {
  const { post, composer, store, modelPickerRequests } = panel;
  switch (action) {
    case 'retry':
      post({ type: 'retry', itemId });
      return;
    case 'chooseModel':
      modelPickerRequests.value += 1;
      return;
    case 'compact':
      composer.submitText('/compact');
      return;
    case 'newConversation': {
      // The new one begins empty, and the draft stays with this one: what was not answered goes on there.
      const text = promptBefore(store.current.items, itemId);
      composer.flush();
      post({ type: 'newConversation', ...(text === undefined ? {} : { text }) });
      return;
    }
    case 'showLog':
    case 'openSettings':
    case 'openFolder':
    case 'doctor':
    case 'login':
      post({ type: action });
      return;
    default:
      assertNever(action, 'error action');
  }
}

/** The last thing that the person said before the item. */
export function promptBefore(items: readonly TranscriptItem[], itemId: string): string | undefined {
  const at = items.findIndex(({ id }) => id === itemId);
  const said = items.slice(0, Math.max(at, 0)).findLast((item) => item.kind === 'user');
  return said?.kind === 'user' ? said.text : undefined;
}

import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { ellipsize } from '../base/cutText';
import { Icon, IconButton } from './icon';
import { usePanel } from './panelContext';

/** So much of a title says which one went. */
const TITLE_CHARS = 60;

/** Once the dialog is closed: the conversation that was deleted in it, with Undo. */
export function DeletedNote() {
  const { conversations, announcer, post } = usePanel();
  const isOpen = conversations.isOpen.value;
  const deleted = conversations.deleted.value;
  const told =
    deleted && (deleted.problem ?? l10n.t('Deleted: {0}', ellipsize(deleted.title, TITLE_CHARS)));
  // By the words alone: what the dialog has said is not said again when it closes.
  useEffect(() => {
    if (told !== undefined && !isOpen) announcer.say(told);
  }, [told, announcer]);
  if (isOpen || told === undefined || !deleted) return null;
  return (
    <div class="deleted-note" role="group" aria-label={l10n.t('Deleted conversation')}>
      <Icon name={deleted.problem === undefined ? 'trash' : 'warning'} />
      <span class="deleted-words" dir="auto">
        {told}
      </span>
      <button
        type="button"
        class="button secondary"
        onClick={() => {
          conversations.undoing();
          post({ type: 'undeleteConversation', sessionId: deleted.sessionId });
        }}
      >
        {l10n.t('Undo')}
      </button>
      <IconButton
        icon="close"
        name={l10n.t('Dismiss')}
        onClick={() => conversations.forgetDeleted()}
      />
    </div>
  );
}

import { assertNever } from '../base/assertNever';
import type { ChangeAction } from '../chat/changesProtocol';
import type { Conversation } from '../conversation/conversationPorts';

/** What the person does with changed files: of those that the panel shows, whatever the page says. */
export async function handleChanges(
  { action, ids }: { readonly action: ChangeAction; readonly ids: readonly string[] },
  conversation: Pick<Conversation, 'changes' | 'snapshot'>,
  review: (conversation: Pick<Conversation, 'changes'>, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const { changes: book } = conversation;
  const { changes } = conversation.snapshot();
  const known = new Set(changes?.files.map(({ id }) => id));
  const wanted = ids.filter((id) => known.has(id));
  const undone = ids.find((id) => id === changes?.undone?.id);
  switch (action) {
    case 'keep':
      if (wanted.length > 0) await book.keep(wanted);
      return;
    case 'undo':
      if (wanted.length > 0) await book.undo(wanted);
      return;
    case 'review':
      if (wanted.length > 0) await review(conversation, wanted);
      return;
    case 'redo':
      if (undone !== undefined) await book.redo(undone);
      return;
    case 'forget':
      if (undone !== undefined) await book.forgetUndone();
      return;
    default:
      assertNever(action, 'change action');
  }
}

import { assertNever } from '../base/assertNever';
import type { ConversationsAnswer } from '../chat/conversationsProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import type { DirectMessage } from '../conversation/viewPump';
import type { ForkActions } from './conversationForks';
import type { HistoryActions } from './conversationHistory';
import type { ConversationPlace } from './conversationPlace';
import { type MessageOf, messageTest } from './messageKinds';

/** What a view may ask of the conversations that the place has, had or could have. */
export interface PastPorts {
  /** @param text what stands in the input of the new one, behind what waits there */
  newConversation(place: ConversationPlace, text?: string): Promise<void>;
  readonly history: HistoryActions;
  readonly forks: ForkActions;
}

const TYPES = {
  newConversation: true,
  listConversations: true,
  openConversation: true,
  renameConversation: true,
  deleteConversation: true,
  undeleteConversation: true,
  forkHere: true,
  editPrompt: true,
  editDraft: true,
  retryAnswer: true,
} as const;

export type PastMessage = MessageOf<typeof TYPES>;
export const isPastMessage = messageTest(TYPES);

/** @param reply to the view that asked */
export async function handlePast(
  message: PastMessage,
  place: ConversationPlace,
  ports: PastPorts,
  reply: (message: DirectMessage) => void,
): Promise<void> {
  const answer = (conversations: ConversationsAnswer): void => {
    reply({ type: 'conversations', answer: conversations });
  };
  switch (message.type) {
    case 'newConversation':
      return ports.newConversation(place, message.text);
    case 'listConversations':
      answer(await ports.history.list(place));
      return;
    case 'openConversation':
      if (message.inTab === true) return ports.history.openInTab(place, message.sessionId);
      return ports.history.open(place, message.sessionId);
    case 'renameConversation':
      answer(await ports.history.rename(place, message.sessionId, message.title));
      return;
    case 'deleteConversation':
      answer(await ports.history.delete(place, message));
      return;
    case 'undeleteConversation':
      answer(await ports.history.undelete(place, message.sessionId));
      return;
    case 'forkHere':
      return ports.forks.forkHere(place, message.itemId);
    case 'editPrompt':
      return edit(message, place, ports.forks);
    case 'editDraft':
      place.edited(message.edit, message.box);
      return;
    case 'retryAnswer':
      return ports.forks.retryAnswer(place, message.promptId);
    default:
      assertNever(message, 'view message');
  }
}

async function edit(
  message: Extract<ViewMessage, { type: 'editPrompt' }>,
  place: ConversationPlace,
  forks: ForkActions,
): Promise<void> {
  const outcome = await forks.resend(place, message);
  if (outcome.accepted) return;
  const { reason: refused } = outcome;
  const { promptId } = message;
  place.send({ type: 'edited', promptId, ...(refused === undefined ? {} : { refused }) });
}

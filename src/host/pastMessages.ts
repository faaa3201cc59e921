import { assertNever } from '../base/assertNever';
import type { ConversationsAnswer } from '../chat/conversationsProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import type { DirectMessage } from '../conversation/viewPump';
import type { ForkActions } from './conversationForks';
import type { ConversationPlace } from './conversationPlace';

/** What a view may ask of the conversations that the place has, had or could have. */
export interface PastPorts {
  newConversation(place: ConversationPlace): Promise<void>;
  /** The past ones of the place's folder. Never rejects. */
  conversations(place: ConversationPlace): Promise<ConversationsAnswer>;
  openConversation(place: ConversationPlace, sessionId: string): Promise<void>;
  readonly forks: ForkActions;
}

const TYPES = {
  newConversation: true,
  listConversations: true,
  openConversation: true,
  forkHere: true,
  editPrompt: true,
  editDraft: true,
  retryAnswer: true,
} as const satisfies Partial<Record<ViewMessage['type'], true>>;

export type PastMessage = Extract<ViewMessage, { type: keyof typeof TYPES }>;

export function isPastMessage(message: ViewMessage): message is PastMessage {
  return Object.hasOwn(TYPES, message.type);
}

/** @param reply to the view that asked */
export async function handlePast(
  message: PastMessage,
  place: ConversationPlace,
  ports: PastPorts,
  reply: (message: DirectMessage) => void,
): Promise<void> {
  switch (message.type) {
    case 'newConversation':
      return ports.newConversation(place);
    case 'listConversations':
      reply({ type: 'conversations', answer: await ports.conversations(place) });
      return;
    case 'openConversation':
      return ports.openConversation(place, message.sessionId);
    case 'forkHere':
      return ports.forks.forkHere(place, message.itemId);
    case 'editPrompt':
      return edit(message, place, ports.forks);
    case 'editDraft':
      place.edit = message.edit;
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

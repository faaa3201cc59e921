import type { HostMessage } from '../chat/viewProtocol';
import type { Conversation } from '../conversation/conversationPorts';
import { handleChanges } from './changeMessages';
import type { ConversationPlace } from './conversationPlace';
import { type MessageOf, messageTest } from './messageKinds';

/** Messages about what calls and tasks gave back, and what answers cite. */
const RESULT_MESSAGES = {
  loadImage: true,
  showResult: true,
  findSymbols: true,
  openSymbol: true,
  task: true,
  changes: true,
} as const;
export type ResultMessage = MessageOf<typeof RESULT_MESSAGES>;
export const isResultMessage = messageTest(RESULT_MESSAGES);

/** Where such texts are shown. */
export interface ResultPorts {
  /** How many definitions each name has that may be shown. Never rejects. */
  countSymbols(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  openSymbol(name: string): Promise<void>;
  /** Opens what a task has printed so far. */
  showOutput(taskId: string, text: string): Promise<void>;
  /** Opens what the agent has made of these files. */
  readonly reviewChanges: (
    conversation: Pick<Conversation, 'changes'>,
    ids: readonly string[],
  ) => Promise<void>;
  /** Opens all of a call's result. */
  showResult(place: ConversationPlace, toolUseId: string): Promise<void>;
}

export async function handleResult(
  message: ResultMessage,
  place: ConversationPlace,
  ports: ResultPorts,
  send: (answer: Extract<HostMessage, { type: 'image' | 'symbols' }>) => void,
): Promise<void> {
  const { conversation } = place;
  switch (message.type) {
    case 'loadImage': {
      const { toolUseId, index } = message;
      const image = conversation.image(toolUseId, index);
      send({ type: 'image', toolUseId, index, ...(image ? { image } : {}) });
      return;
    }
    case 'findSymbols': {
      const counts = await ports.countSymbols(message.names);
      const found = message.names.map((name) => ({ name, count: counts.get(name) ?? 0 }));
      send({ type: 'symbols', found });
      return;
    }
    case 'changes':
      return handleChanges(message, conversation, ports.reviewChanges);
    case 'openSymbol':
      return ports.openSymbol(message.name);
    case 'showResult':
      return ports.showResult(place, message.toolUseId);
    case 'task': {
      const { tasks } = conversation;
      // The list is the CLI's own: another id would be asked of it as well.
      if (conversation.snapshot().tasks?.some(({ id }) => id === message.taskId) !== true) return;
      if (message.action === 'stop') return tasks.stop(message.taskId);
      return ports.showOutput(message.taskId, await tasks.output(message.taskId));
    }
  }
}

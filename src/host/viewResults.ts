import type { HostMessage } from '../chat/viewProtocol';
import type { ConversationPlace } from './conversationPlace';
import { type MessageOf, messageTest } from './messageKinds';

/** Messages about what calls and tasks gave back. */
const RESULT_MESSAGES = {
  loadImage: true,
  showResult: true,
  task: true,
} as const;
export type ResultMessage = MessageOf<typeof RESULT_MESSAGES>;
export const isResultMessage = messageTest(RESULT_MESSAGES);

/** Where such texts are shown. */
export interface ResultPorts {
  /** Opens what a task has printed so far. */
  showOutput(taskId: string, text: string): Promise<void>;
  /** Opens all of a call's result. */
  showResult(place: ConversationPlace, toolUseId: string): Promise<void>;
}

export async function handleResult(
  message: ResultMessage,
  place: ConversationPlace,
  ports: ResultPorts,
  send: (answer: Extract<HostMessage, { type: 'image' }>) => void,
): Promise<void> {
  const { conversation } = place;
  switch (message.type) {
    case 'loadImage': {
      const { toolUseId, index } = message;
      const image = conversation.image(toolUseId, index);
      send({ type: 'image', toolUseId, index, ...(image ? { image } : {}) });
      return;
    }
    case 'showResult':
      return ports.showResult(place, message.toolUseId);
    case 'task': {
      const { tasks } = conversation;
      if (message.action === 'stop') return tasks.stop(message.taskId);
      return ports.showOutput(message.taskId, await tasks.output(message.taskId));
    }
  }
}

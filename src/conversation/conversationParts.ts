import { type ConversationModel, createConversationModel } from '../chat/conversationModel';
import type { ConversationPorts } from './conversationPorts';
import { IdleTimer } from './idleTimer';
import { liveTitles, toolCount } from './toolTitles';

/** What is seen of a conversation that works with these tools, in this folder. */
export function createModel({ now, folder, registry }: ConversationPorts): ConversationModel {
  return createConversationModel({
    ...{ now, folder },
    toolTitles: liveTitles(registry),
    initial: { toolCount: toolCount(registry) },
  });
}

/** Counts the time in which nothing happens, as the person has set it. */
export function createIdleTimer(
  { clock, settings }: ConversationPorts,
  onIdle: () => void,
): IdleTimer {
  return new IdleTimer({ clock, idleMs: () => settings().parkAfterMinutes * 60_000, onIdle });
}

import { type ConversationModel, createConversationModel } from '../chat/conversationModel';
import type { ChatEvent } from '../chat/chatEvent';
import { ChangeDesk } from './changeDesk';
import type { ConversationPorts } from './conversationPorts';
import { planFolderOf } from './planFolder';
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

/** Keeps track of the files that the agent changes. */
export function createChanges(
  ports: ConversationPorts,
  apply: (event: ChatEvent) => void,
): ChangeDesk {
  const { changedFiles, folder, log } = ports;
  return new ChangeDesk({
    ...{ files: changedFiles, folder: folder?.path, planFolder: planFolderOf(ports), apply, log },
  });
}

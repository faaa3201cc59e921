import type { ChatEvent } from '../chat/chatEvent';
import type { ConversationPorts } from './conversationPorts';
import { planFolderOf } from './planFolder';
import { RefusedWrites } from './refusedWrites';
import { WriteCheck } from './writeCheck';

/** The check of a conversation's writes, and what becomes of those that it refuses. */
export function createWriteGuard(
  ports: ConversationPorts,
  apply: (event: ChatEvent) => void,
): { readonly refused: RefusedWrites; readonly writes: WriteCheck } {
  const { buffers, workspaceRoots, log } = ports;
  const refused = new RefusedWrites(buffers, apply);
  const writes = new WriteCheck({
    buffers,
    workspaceRoots,
    planFolder: planFolderOf(ports),
    log,
    onRefused: (toolUseId, paths) => {
      refused.add(toolUseId, paths);
    },
  });
  return { refused, writes };
}

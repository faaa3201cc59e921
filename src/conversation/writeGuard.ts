import type { ChatEvent } from '../chat/chatEvent';
import type { PermissionMode } from '../rules/modes';
import { type CallPolicy, createCallPolicy } from './callPolicy';
import type { WriteWatch } from './changeDesk';
import type { ConversationPorts } from './conversationPorts';
import { planFolderOf } from './planFolder';
import { RefusedWrites } from './refusedWrites';
import { WriteCheck } from './writeCheck';

/** What stands between the agent and the files of a conversation. */
export interface WriteGuard {
  /** The writes that it refused, and what can be done about them. */
  readonly refused: RefusedWrites;
  /** Of the CLI's editing tools. */
  readonly writes: WriteCheck;
  /** Of the tools of this process. */
  readonly policy: CallPolicy;
  readonly mode: () => PermissionMode;
  /** Told of what they write; absent where nobody wants to know. */
  readonly watch?: WriteWatch | undefined;
  /** What was allowed belongs to the calls of one process. */
  forget(): void;
}

/** @param mode of the conversation, as it is now */
export function createWriteGuard(
  ports: ConversationPorts,
  apply: (event: ChatEvent) => void,
  mode: () => PermissionMode,
  watch?: WriteWatch,
): WriteGuard {
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
  const policy = createCallPolicy(ports, mode, watch);
  return {
    refused,
    writes,
    policy,
    mode,
    watch,
    forget: () => {
      writes.forget();
      policy.forget();
    },
  };
}

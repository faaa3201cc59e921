import type { ConversationPorts } from './conversationPorts';

/** Whether the mode that bypasses permissions can be chosen: not wanted, or not taken by the CLI. */
export type BypassState = 'off' | 'on' | 'refused';

/** Only the person's own settings take all questions away, and only where they trust the folder. */
export function mayBypass({
  settings,
  isTrusted,
}: Pick<ConversationPorts, 'settings' | 'isTrusted'>): boolean {
  return settings().allowBypassPermissions === true && isTrusted();
}

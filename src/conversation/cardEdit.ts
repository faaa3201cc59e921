import type { PermissionRequest } from '../chat/permissionRequest';
import { proposedEdit } from '../chat/proposedEdit';
import type { ConversationPorts } from './conversationPorts';
import { targetPath } from './describePermission';

/** A file as it is and as it would be. */
export interface CardEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What a permission request would change; undefined where that is not one file. */
export async function cardEdit(
  ports: ConversationPorts,
  request: PermissionRequest | undefined,
): Promise<CardEdit | undefined> {
  const path = request && targetPath(ports, request);
  if (!request || path === undefined) return undefined;
  const text = await ports.buffers.read(path);
  const edit = proposedEdit(request.tool_name, request.input, text);
  return edit && { ...edit, path };
}

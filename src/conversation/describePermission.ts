import path from 'node:path';
import { createPermissionCard } from '../chat/permissionCard';
import { editedPath } from '../chat/proposedEdit';
import type { PermissionCard } from '../chat/viewStateProtocol';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { ConversationPorts } from './conversationPorts';
import { liveTitles } from './toolTitles';
import { withDeadline } from './withDeadline';

/** The file that a question is about, absolute; undefined for a call that edits no file. */
export function targetPath(
  ports: Pick<ConversationPorts, 'folder'>,
  request: PermissionRequest,
): string | undefined {
  const target = editedPath(request.tool_name, request.input);
  return target === undefined ? undefined : path.resolve(ports.folder?.path ?? '.', target);
}

/** Milliseconds for reading the file; a pipe or a dead network folder must not hold the question. */
const READ_WITHIN_MS = 3000;

/** Builds the card, with the change computed from the file as it is now, not from what the CLI says. */
export async function describePermission(
  ports: Pick<ConversationPorts, 'folder' | 'buffers' | 'registry'>,
  requestId: string,
  request: PermissionRequest,
): Promise<PermissionCard> {
  const target = targetPath(ports, request);
  return createPermissionCard({
    requestId,
    request,
    folder: ports.folder?.path,
    toolTitles: liveTitles(ports.registry),
    currentText: target === undefined ? null : await textOf(ports, target),
  });
}

/** Null where it cannot be had: then the card shows what the call says. */
async function textOf(
  { buffers }: Pick<ConversationPorts, 'buffers'>,
  target: string,
): Promise<string | undefined | null> {
  try {
    return await withDeadline(buffers.read(target), READ_WITHIN_MS, 'not read in time');
  } catch {
    return null;
  }
}

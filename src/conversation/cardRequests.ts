import { wholeBody } from '../chat/permissionBody';
import type { PermissionRequest } from '../chat/permissionRequest';
import { proposedEdit } from '../chat/proposedEdit';
import type { CardRequestsPort, ConversationPorts } from './conversationPorts';
import { changedTarget } from './describePermission';

/** What the cards that wait ask for; `request` finds it by the card. */
export function cardRequests(
  ports: ConversationPorts,
  request: (cardId: string) => PermissionRequest | undefined,
): CardRequestsPort {
  return {
    edit: (cardId) => cardEdit(ports, request(cardId)),
    whole: (cardId) => {
      const asked = request(cardId);
      return asked && wholeBody(asked);
    },
  };
}

async function cardEdit(ports: ConversationPorts, request: PermissionRequest | undefined) {
  const path = request && changedTarget(ports, request);
  if (!request || path === undefined) return undefined;
  const text = await ports.buffers.read(path);
  const edit = proposedEdit(request.tool_name, request.input, text);
  return edit && { ...edit, path };
}

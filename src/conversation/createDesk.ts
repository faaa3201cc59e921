import { confirmRule } from './confirmRule';
import type { ConversationPorts } from './conversationPorts';
import { describePermission, isOutdated } from './describePermission';
import { PermissionDesk, type PermissionDeskPorts } from './permissionDesk';

type DeskEvents = Pick<PermissionDeskPorts, 'apply' | 'onLost' | 'onStopped'>;

/** The desk of a conversation, which looks at the files of its folder and at the settings of its CLI. */
export function createDesk(ports: ConversationPorts, events: DeskEvents): PermissionDesk {
  return new PermissionDesk({
    ...events,
    describe: (id, request) => describePermission(ports, id, request),
    isOutdated: (card, request) => isOutdated(ports, card, request),
    onLasting: (granted) => void confirmRule({ ports, apply: events.apply, ...granted }),
  });
}

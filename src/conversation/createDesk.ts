import { confirmRule } from './confirmRule';
import type { ConversationPorts } from './conversationPorts';
import { OutdatedCards } from './outdatedCards';
import { PermissionDesk, type PermissionDeskPorts } from './permissionDesk';
import type { WriteCheck } from './writeCheck';

interface DeskParts extends Pick<PermissionDeskPorts, 'apply' | 'onLost' | 'onStopped'> {
  /** The guard, which is made after the desk. */
  readonly writes: () => Pick<WriteCheck, 'look'>;
}

/** The desk of a conversation, which looks at the files of its folder and at the settings of its CLI. */
export function createDesk(ports: ConversationPorts, parts: DeskParts): PermissionDesk {
  const { writes, ...events } = parts;
  const cards = new OutdatedCards(ports, writes);
  return new PermissionDesk({
    ...events,
    describe: (id, request) => cards.describe(id, request),
    isOutdated: (card, request) => cards.isOutdated(card, request),
    onLasting: (granted) => void confirmRule({ ports, apply: events.apply, ...granted }),
  });
}

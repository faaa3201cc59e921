import type { ViewMessage } from '../chat/viewProtocol';

type Kinds = Partial<Record<ViewMessage['type'], true>>;

/** The messages of the kinds that a table has. */
export type MessageOf<Table extends Kinds> = Extract<ViewMessage, { type: keyof Table }>;

/** Makes a test for the messages of the kinds that the table has. */
export function messageTest<const Table extends Kinds>(
  table: Table,
): (message: ViewMessage) => message is MessageOf<Table> {
  return (message): message is MessageOf<Table> => Object.hasOwn(table, message.type);
}

/** The lists of a server that a client may hold a copy of. */
export const LIST_KINDS = ['tools', 'resources', 'prompts'] as const;

export type ListKind = (typeof LIST_KINDS)[number];

interface ListChanged {
  readonly jsonrpc: '2.0';
  readonly method: string;
}

/** The notification that tells a client to ask for the list again. */
export function listChanged(kind: ListKind): ListChanged {
  return { jsonrpc: '2.0', method: `notifications/${kind}/list_changed` };
}

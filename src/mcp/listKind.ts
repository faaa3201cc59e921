/** The lists of a server that a client may hold a copy of. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** The notification that tells a client to ask for the list again. */
export function listChanged(kind: ListKind): object {
  return { jsonrpc: '2.0', method: `notifications/${kind}/list_changed` };
}

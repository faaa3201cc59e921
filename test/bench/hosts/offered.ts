import type { OfferedServer } from '../../../src/mcp/registry';

let servers: readonly OfferedServer[] | undefined;

/** What our host is to offer in place of its own server; to be said before it is loaded. */
export function offer(others: readonly OfferedServer[]): void {
  servers = others;
}

export function offered(): readonly OfferedServer[] | undefined {
  return servers;
}

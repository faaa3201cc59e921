import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { changedLogger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import { inTime } from '../mcp/inTime';
import { createPeerServer, type PeerServer } from '../mcp/peerServer';
import type { AttachedEntry } from './attachedEntry';
import { ClientPeer, handshakeOf } from './clientPeer';
import { createTransport, type TransportOptions } from './createTransport';
import { lenientHandshake } from './lenientHandshake';
import { toldFailure } from './toldFailure';

export interface AttachOptions extends TransportOptions {
  readonly source?: string;
  /** Milliseconds that the start may take, 30,000 by default. */
  readonly readyWithinMs?: number;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

const READY_WITHIN_MS = 30_000;
/** What goes before and behind the handshake's own answer. */
const MORE_MS = 1_000;
const asItIs = (text: string): string => text;

/**
 * Connects to an external server from this process and offers it as one of ours: for servers that
 * only this machine reaches. Disposing of it ends a server that was started for it.
 * @throws what went wrong; nothing of it is left then
 */
export async function attachServer(given: AttachOptions): Promise<PeerServer> {
  const { name, source, readyWithinMs = READY_WITHIN_MS, signal, mask = asItIs } = given;
  // What it says, and why something of it failed, may hold what it was given.
  const log = changedLogger(given.log, mask);
  const options = { ...given, log };
  const client = await connect(options);
  const isRemote = options.entry.type !== 'stdio';
  const peer = new ClientPeer(client, { connect: () => connect(options), isRemote, mask });
  try {
    const initialized = handshakeOf(client);
    const timeout = timeoutOf(options.entry);
    const ready = createPeerServer(peer, {
      ...{ name, source, log, timeout },
      initialized,
      readyWithinMs,
    });
    return await untilAborted(ready, signal);
  } catch (error) {
    // It may be connected anew by now.
    peer.dispose();
    await client.close();
    throw error;
  }
}

/** Of one call, as the CLI takes it from the entry. */
function timeoutOf({ timeout }: AttachedEntry): number | undefined {
  return typeof timeout === 'number' && timeout > 0 ? timeout : undefined;
}

/** @throws what went wrong, or the reason of the signal; nothing of it is left then */
async function connect(options: AttachOptions): Promise<Client> {
  const { readyWithinMs: timeout = READY_WITHIN_MS, signal } = options;
  const client = new Client(
    { name: 'patchbay', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  try {
    const transport = await createTransport(options);
    const mended = lenientHandshake(transport, options.name, options.log);
    const connecting = client.connect(mended, { timeout });
    // The SDK counts the time of the handshake's answer alone; a server may be silent before it, or after.
    const inAll = inTime(connecting, 'connect', timeout + MORE_MS);
    await untilAborted(inAll, signal);
    return client;
  } catch (error) {
    await client.close();
    signal?.throwIfAborted();
    throw toldFailure(error, options.mask ?? asItIs);
  }
}

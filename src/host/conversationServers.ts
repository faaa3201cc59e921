import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import { collectServers, type ExternalServer } from '../cli/collectServers';
import type { ConversationPorts } from '../conversation/conversationPorts';
import { externalServers } from '../conversation/externalServers';
import { connectBridge } from '../mcp/connectBridge';
import type { Connectable } from '../mcp/foreignBridge';
import { createPeerServer } from '../mcp/peerServer';
import { ServerRegistry } from '../mcp/registry';
import type { OfferedServers } from '../mcp/switchedServers';
import { isRecord } from '../mcp/wire';
import type { ConversationServer } from './patchbayApi';

type WindowPorts = Pick<
  ConversationPorts,
  'registry' | 'externalServers' | 'hostEnvironment' | 'log'
>;

export interface ServersOptions {
  /** The extension whose conversation it is. */
  readonly source: string;
  readonly cwd: string;
  /** Those that it brings for this conversation. */
  readonly mcpServers?: Readonly<Record<string, ConversationServer>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ConversationServers extends Disposable {
  /** Those of the window, as they come and go, and those that run in the extension. */
  readonly registry: OfferedServers;
  /** Those that the extension names to connect to. */
  readonly external: readonly ExternalServer[];
  /** Disconnects those that run in the extension. Never throws. */
  dispose(): void;
}

/**
 * The servers of one conversation of another extension.
 * @throws Error that says which cannot be used, the reason of the signal as soon as that fires;
 *   nothing is connected then
 */
export async function openServers(
  ports: WindowPorts,
  { source, cwd, mcpServers = {}, signal }: ServersOptions,
): Promise<ConversationServers> {
  const wanted = <T>(step: Promise<T>): Promise<T> => untilAborted(step, signal);
  signal?.throwIfAborted();
  // Other extensions may be plain JavaScript.
  if (!isRecord(mcpServers)) throw new Error('mcpServers must be an object');
  const store = new DisposableStore();
  // A server's own code runs as it is disconnected.
  const dispose = (): void => {
    try {
      store.dispose();
    } catch (error) {
      ports.log.warn(`Servers of ${source} could not be let go of: ${errorMessage(error)}`);
    }
  };
  try {
    const registry = store.add(new ServerRegistry());
    store.add(follow(ports.registry, registry, ports.log));
    const written: [name: string, entry: object][] = [];
    for (const [name, given] of Object.entries(mcpServers)) {
      if (!isRecord(given)) throw new Error(`mcpServers.${name}: must be an object`);
      if (!('server' in given)) written.push([name, given]);
      else await wanted(connect(given.server, { name, source, log: ports.log, registry, store }));
    }
    const external = await wanted(readEntries(ports, registry, written, cwd));
    return { registry, external, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** What the window has is in `registry` as well. What else is there stays, and keeps its name. */
function follow(window: OfferedServers, registry: ServerRegistry, log: Logger): Disposable {
  const offered = new Map<string, Disposable>();
  const add = (name: string): void => {
    const server = window.find(name);
    if (server === undefined) return;
    try {
      offered.set(name, registry.add(server));
    } catch (error) {
      log.warn(`Not offered in an extension's conversation: ${errorMessage(error)}`);
    }
  };
  for (const { name } of window.all()) add(name);
  return window.onDidChange(({ kind, server: name }) => {
    if (kind !== 'added' && kind !== 'removed') return;
    offered.get(name)?.dispose();
    offered.delete(name);
    if (kind === 'added') add(name);
  });
}

/**
 * What it has made is in the store, which disposes of it at once where all is over meanwhile.
 * @throws Error that names it
 */
async function connect(
  server: Connectable,
  {
    registry,
    store,
    ...options
  }: {
    readonly name: string;
    readonly source: string;
    readonly log: Logger;
    readonly registry: ServerRegistry;
    readonly store: DisposableStore;
  },
): Promise<void> {
  try {
    const bridge = store.add(await connectBridge(server));
    const peer = store.add(await createPeerServer(bridge, options));
    const offered = registry.add(peer);
    peer.onDidClose(() => offered.dispose());
  } catch (cause) {
    throw new Error(`mcpServers.${options.name}: ${errorMessage(cause)}`, { cause });
  }
}

/** @throws Error that names the first that cannot be used */
async function readEntries(
  ports: WindowPorts,
  registry: OfferedServers,
  entries: readonly (readonly [name: string, entry: object])[],
  cwd: string,
): Promise<readonly ExternalServer[]> {
  if (entries.length === 0) return [];
  const env = ports.hostEnvironment;
  const known = await externalServers(ports, { env, cwd });
  const servers = await collectServers({
    written: entries.map(([name, value]) => ({ name, source: 'user', value })),
    reserved: [
      ...registry.all().map(({ name }) => name),
      ...known.flatMap(({ name, state }) => (state === 'on' ? [name] : [])),
    ],
    isOff: () => false,
    isApproved: () => false,
    env,
    secret: () => Promise.resolve(undefined),
    log: ports.log,
  });
  const bad = servers.find(({ state }) => state !== 'on');
  if (bad) throw new Error(`mcpServers.${bad.name}: ${bad.reason ?? bad.state}`);
  const here = servers.find(({ runIn }) => runIn === 'editor');
  if (here) throw new Error(`mcpServers.${here.name}: runIn works in the person's settings only`);
  return servers;
}

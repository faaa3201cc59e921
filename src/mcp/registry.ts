import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { DefinitionError } from './definitionError';
import { from } from './definitionList';
import type { ForeignServer } from './foreignServer';
import type { ListKind } from './listKind';
import { type McpServerDefinition, serverLabel } from './mcpServer';
import { cleanName, wireName } from './names';

/** Everything that a conversation can be offered. */
export type OfferedServer = McpServerDefinition | ForeignServer;

/** What happened to the servers of a registry. */
export type RegistryChange =
  | {
      readonly kind: 'added' | 'removed' | `${ListKind}Changed`;
      readonly server: string;
    }
  | { readonly kind: 'resourceUpdated'; readonly server: string; readonly uri: string };

/** The servers that conversations offer. A `Map`, since `constructor` is a key of every object. */
export class ServerRegistry implements Disposable {
  readonly #servers = new Map<string, { server: OfferedServer; listeners: DisposableStore }>();
  readonly #changed = new Emitter<RegistryChange>();
  readonly onDidChange: Event<RegistryChange> = this.#changed.event;

  /**
   * Offers a server until the result is disposed, or the server stops.
   * A tool whose whole name is another server's too is taken away from it, and told with both
   * sources, in its `describe().problems` or, of a server of others, in the log; the others are offered.
   * @throws DefinitionError when the server's name equals another's after cleaning; both are named
   */
  add(server: OfferedServer): Disposable {
    this.#checkName(server);
    const { name } = server;
    const listeners = new DisposableStore();
    if (server.kind === 'own') this.#listenTo(server, listeners);
    const checking = server.addToolCheck?.((tool, source) => {
      this.#checkTool(server, tool, source);
    });
    if (checking !== undefined) listeners.add(checking);
    listeners.add(
      server.onDidChange((kind) => {
        this.#changed.fire({ kind: `${kind}Changed`, server: name });
      }),
    );
    this.#servers.set(name, { server, listeners });
    this.#changed.fire({ kind: 'added', server: name });
    return toDisposable(() => {
      if (this.find(name) === server) this.remove(name);
    });
  }

  #checkName(server: OfferedServer): void {
    const clean = cleanName(server.name);
    const other = this.all().find(({ name }) => cleanName(name) === clean);
    if (other !== undefined) {
      throw new DefinitionError(
        `Servers ${serverLabel(other)} and ${serverLabel(server)} would both be offered as '${clean}'`,
      );
    }
  }

  #listenTo(server: McpServerDefinition, listeners: DisposableStore): void {
    if (server.isStopped) throw new DefinitionError(`Server '${server.name}' has been stopped`);
    listeners.add(
      server.onDidUpdate((uri) => {
        this.#changed.fire({ kind: 'resourceUpdated', server: server.name, uri });
      }),
    );
    listeners.add(server.onDidStop(() => this.remove(server.name)));
  }

  /** `a__b` with the tool `c` and `a` with the tool `b__c` are the same to the model. */
  #checkTool(server: OfferedServer, tool: string, source?: string): void {
    const whole = wireName(server.name, tool);
    for (const other of this.all()) {
      const prefix = wireName(other.name, '');
      if (other === server || !whole.startsWith(prefix)) continue;
      const short = whole.slice(prefix.length);
      // One that is hidden may be shown again.
      const twin = other.allTools?.().find(({ name }) => cleanName(name) === short);
      if (twin === undefined) continue;
      const given = other.kind === 'own' ? other.sourceOfTool(twin.name) : undefined;
      const mine = `'${server.name}'${from(source ?? server.source)}`;
      const theirs = `'${other.name}'${from(given ?? other.source)}`;
      throw new DefinitionError(
        `Tool '${tool}' of server ${mine} and tool '${twin.name}' of server ${theirs} would both be offered as '${whole}'`,
      );
    }
  }

  /** False when there is no such server. Routers cancel the calls that run on it. */
  remove(name: string): boolean {
    const entry = this.#servers.get(name);
    if (entry === undefined) return false;
    entry.listeners.dispose();
    this.#servers.delete(name);
    this.#changed.fire({ kind: 'removed', server: name });
    return true;
  }

  /** One of ours. */
  get(name: string): McpServerDefinition | undefined {
    const server = this.find(name);
    return server?.kind === 'own' ? server : undefined;
  }

  find(name: string): OfferedServer | undefined {
    return this.#servers.get(name)?.server;
  }

  /** Ours, whose tools are known here. */
  list(): readonly McpServerDefinition[] {
    return this.all().filter((server) => server.kind === 'own');
  }

  all(): readonly OfferedServer[] {
    return [...this.#servers.values()].map((entry) => entry.server);
  }

  dispose(): void {
    for (const name of [...this.#servers.keys()]) this.remove(name);
    this.#changed.dispose();
  }
}

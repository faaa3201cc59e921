import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { McpServerDefinition } from './mcpServer';
import type { OfferedServer, RegistryChange, ServerRegistry } from './registry';
import { type Switches, ToolSwitches } from './toolSwitches';

/** What a conversation sees of a registry. */
export type OfferedServers = Pick<ServerRegistry, 'find' | 'get' | 'all' | 'list' | 'onDidChange'>;

/**
 * The servers of a registry without those that are switched off. To whoever looks here a server that
 * is switched off was removed: its running calls end, and conversations are told. Of a server that
 * is on, tools that are switched off are hidden; of those the calls that run go on.
 */
export class SwitchedServers implements OfferedServers, Disposable {
  readonly #all: OfferedServers;
  readonly #switches: Switches;
  readonly #changed = new Emitter<RegistryChange>();
  readonly #store = new DisposableStore();
  /** Names of servers that are on, as was last told. */
  #on: ReadonlySet<string>;

  readonly onDidChange: Event<RegistryChange> = this.#changed.event;

  constructor(all: OfferedServers, switches: Switches = new ToolSwitches()) {
    this.#all = all;
    this.#switches = switches;
    for (const server of all.all()) this.#hide(server);
    this.#on = this.#namesOn();
    this.#store.add(
      all.onDidChange((change) => {
        this.#follow(change);
      }),
    );
    this.#store.add(
      switches.onDidChange(() => {
        this.#apply();
      }),
    );
  }

  find(name: string): OfferedServer | undefined {
    return this.#switches.isServerOff(name) ? undefined : this.#all.find(name);
  }

  get(name: string): McpServerDefinition | undefined {
    return this.#switches.isServerOff(name) ? undefined : this.#all.get(name);
  }

  all(): readonly OfferedServer[] {
    return this.#all.all().filter(({ name }) => !this.#switches.isServerOff(name));
  }

  list(): readonly McpServerDefinition[] {
    return this.#all.list().filter(({ name }) => !this.#switches.isServerOff(name));
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  #follow(change: RegistryChange): void {
    const server = this.#all.find(change.server);
    // Before anybody is told of it: they list its tools at once.
    if (change.kind === 'added' && server) this.#hide(server);
    const wasOn = this.#on.has(change.server);
    if (change.kind === 'added' || change.kind === 'removed') this.#on = this.#namesOn();
    if (wasOn || this.#on.has(change.server)) this.#changed.fire(change);
  }

  #apply(): void {
    const before = this.#on;
    // What is hidden of a server that comes is told with it.
    for (const server of this.#all.all()) this.#hide(server);
    this.#on = this.#namesOn();
    for (const { name: server } of this.#all.all()) {
      const isOn = this.#on.has(server);
      if (isOn !== before.has(server)) {
        this.#changed.fire({ kind: isOn ? 'added' : 'removed', server });
      }
    }
  }

  #hide(server: OfferedServer): void {
    server.hideTools?.((tool) => this.#switches.isToolOff(server.name, tool));
  }

  #namesOn(): ReadonlySet<string> {
    return new Set(this.all().map(({ name }) => name));
  }
}

import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { McpServerDefinition } from './mcpServer';
import type { OfferedServer, RegistryChange, ServerRegistry } from './registry';

/** What a conversation sees of a registry. */
export type OfferedServers = Pick<ServerRegistry, 'find' | 'get' | 'all' | 'list' | 'onDidChange'>;

/**
 * The servers of a registry without those that the person has switched off. To whoever looks here a
 * server that is switched off was removed: its running calls end, and conversations are told.
 */
export class SwitchedServers implements OfferedServers, Disposable {
  readonly #all: OfferedServers;
  readonly #off: Set<string>;
  readonly #changed = new Emitter<RegistryChange>();
  readonly #listener: Disposable;

  readonly onDidChange: Event<RegistryChange> = this.#changed.event;

  constructor(all: OfferedServers, off: Iterable<string> = []) {
    this.#all = all;
    this.#off = new Set(off);
    this.#listener = all.onDidChange((change) => {
      if (!this.#off.has(change.server)) this.#changed.fire(change);
    });
  }

  get off(): ReadonlySet<string> {
    return this.#off;
  }

  /** A name that no server of the registry has is kept as well: it may come, or be an external one. */
  switch(server: string, on: boolean): void {
    if (on !== this.#off.has(server)) return;
    if (on) this.#off.delete(server);
    else this.#off.add(server);
    if (this.#all.find(server)) this.#changed.fire({ kind: on ? 'added' : 'removed', server });
  }

  find(name: string): OfferedServer | undefined {
    return this.#off.has(name) ? undefined : this.#all.find(name);
  }

  get(name: string): McpServerDefinition | undefined {
    return this.#off.has(name) ? undefined : this.#all.get(name);
  }

  all(): readonly OfferedServer[] {
    return this.#all.all().filter(({ name }) => !this.#off.has(name));
  }

  list(): readonly McpServerDefinition[] {
    return this.#all.list().filter(({ name }) => !this.#off.has(name));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

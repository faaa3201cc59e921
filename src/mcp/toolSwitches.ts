import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { wireName } from './names';
import { isRecord } from './wire';
import { matchesTool, mayNameToolOf } from './toolPatterns';

/** A set of tools that the person uses. Whatever it does not name is off. */
export interface UsedSet {
  readonly name: string;
  /** Folder whose file has it; absolute. */
  readonly folder: string;
  /** Patterns of tools as the person agreed to them. A whole server is `mcp__server__*`. */
  readonly agreed: readonly string[];
  /** Servers and tools that are on although the set, or the person before it, has them off. */
  readonly on: readonly string[];
  /** Patterns that its file has added since, and that the person wants left off. */
  readonly left: readonly string[];
}

/** What the person has switched, as it is kept. */
export interface SwitchState {
  /** Names of servers that are off. */
  readonly servers: readonly string[];
  /** `mcp__server__tool` of tools that are off. */
  readonly tools: readonly string[];
  readonly set: UsedSet | undefined;
}

/** Who has it off. */
export type OffBy = 'person' | 'set' | 'setting';

/** What conversations need to know of the switches. */
export interface Switches {
  isServerOff(server: string): boolean;
  isToolOff(server: string, tool: string): boolean;
  readonly onDidChange: Event<void>;
}

const NOTHING: SwitchState = { servers: [], tools: [], set: undefined };

/**
 * Which servers and tools are on: by the person's own hand, by the set that they use, by the setting
 * `patchbay.disabledTools`. Any name can be switched: it may come, or be that of an external server.
 */
export class ToolSwitches implements Switches, Disposable {
  #state: SwitchState;
  /** Of the setting. */
  #disabled: readonly string[] = [];
  /** The set as its file has it now; undefined while that cannot be read. */
  #current: readonly string[] | undefined;
  /** Servers that the person has switched off, and that were wholly on beside what the set has of them. */
  readonly #wereOn = new Set<string>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(state: Partial<SwitchState> = {}) {
    this.#state = { ...NOTHING, ...state };
  }

  /** To be kept after each change. */
  get state(): SwitchState {
    return this.#state;
  }

  isServerOff(server: string): boolean {
    return this.serverOffBy(server) !== undefined;
  }

  isToolOff(server: string, tool: string): boolean {
    return this.toolOffBy(server, tool) !== undefined;
  }

  serverOffBy(server: string): OffBy | undefined {
    const { servers, set } = this.#state;
    if (set?.on.includes(server)) return undefined;
    if (servers.includes(server)) return 'person';
    return set === undefined || this.#setMayHave(server, set) ? undefined : 'set';
  }

  /** Of a tool whose server is on. */
  toolOffBy(server: string, tool: string): OffBy | undefined {
    const wire = wireName(server, tool);
    const { tools, set } = this.#state;
    if (this.#disabled.some((pattern) => matchesTool(pattern, wire))) return 'setting';
    if (set?.on.includes(wire)) return undefined;
    if (tools.includes(wire)) return 'person';
    if (set === undefined || set.on.includes(server) || this.#setHas(wire, set)) return undefined;
    return 'set';
  }

  switchServer(server: string, on: boolean): void {
    if (on !== this.isServerOff(server)) return;
    const { servers, set } = this.#state;
    if (set?.on.includes(server) === true) this.#wereOn.add(server);
    const rest = servers.filter((name) => name !== server);
    this.#set({
      servers: on ? rest : [...rest, server],
      set: set && { ...set, on: set.on.filter((id) => id !== server) },
    });
    // Off and on again, as for a new connection, it is as it was.
    if (on && (this.#wereOn.delete(server) || this.isServerOff(server))) this.#addToSet(server);
    this.#changed.fire();
  }

  /** What the setting has off stays off. */
  switchTool(server: string, tool: string, on: boolean): void {
    if (on !== this.isToolOff(server, tool)) return;
    const wire = wireName(server, tool);
    const { tools, set } = this.#state;
    const rest = tools.filter((name) => name !== wire);
    this.#set({
      tools: on ? rest : [...rest, wire],
      set: set && { ...set, on: set.on.filter((id) => id !== wire) },
    });
    if (on && this.toolOffBy(server, tool) === 'set') this.#addToSet(wire);
    this.#changed.fire();
  }

  /** `patchbay.disabledTools` as it is now. */
  disable(patterns: readonly string[]): void {
    this.#disabled = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '');
    this.#changed.fire();
  }

  /** @param current the patterns as the file has them; undefined while that cannot be read */
  use(set: UsedSet | undefined, current?: readonly string[]): void {
    const { set: before } = this.#state;
    if (set?.name !== before?.name || set?.folder !== before?.folder) this.#wereOn.clear();
    this.#current = set === undefined ? undefined : current;
    this.#set({ set });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(change: Partial<SwitchState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #addToSet(id: string): void {
    const { set } = this.#state;
    if (set !== undefined) this.#set({ set: { ...set, on: [...set.on, id] } });
  }

  /** What the file has dropped since is off by itself; what it has added waits for a yes. */
  #setHas(wire: string, { agreed }: UsedSet): boolean {
    const names = (patterns: readonly string[]): boolean =>
      patterns.some((pattern) => matchesTool(pattern, wire));
    return names(agreed) && names(this.#current ?? agreed);
  }

  #setMayHave(server: string, { agreed, on }: UsedSet): boolean {
    const names = (patterns: readonly string[]): boolean =>
      patterns.some((pattern) => mayNameToolOf(pattern, server));
    const prefix = wireName(server, '');
    if (on.some((id) => id.startsWith(prefix))) return true;
    return names(agreed) && names(this.#current ?? agreed);
  }
}

/** Patterns that the file of a set has added, and about which the person was not asked yet. */
export function addedToSet(
  current: readonly string[],
  { agreed, left }: Pick<UsedSet, 'agreed' | 'left'>,
): string[] {
  const known = [...agreed, ...left];
  // A narrower pattern is a text that the wider one matches.
  return current.filter((pattern) => !known.some((wide) => covers(wide, pattern)));
}

function covers(wide: string, narrow: string): boolean {
  return wide === narrow || matchesTool(wide, narrow);
}

/** What the person switched off by hand and a set would have on. */
export function offInSet(state: SwitchState, patterns: readonly string[]): string[] {
  const servers = state.servers.filter((server) =>
    patterns.some((pattern) => mayNameToolOf(pattern, server)),
  );
  const tools = state.tools.filter((wire) =>
    patterns.some((pattern) => matchesTool(pattern, wire)),
  );
  return [...servers, ...tools];
}

/** One that was kept; undefined where it is not what was kept. */
export function tryReadUsedSet(value: unknown): UsedSet | undefined {
  if (!isRecord(value)) return undefined;
  const { name, folder, agreed, on, left } = value;
  if (typeof name !== 'string' || typeof folder !== 'string') return undefined;
  return { name, folder, agreed: texts(agreed), on: texts(on), left: texts(left) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

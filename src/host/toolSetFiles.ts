import { readFile } from 'node:fs/promises';
import { isAbsent } from '../base/errors';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import { parseToolSets, type ToolSet, type ToolSets } from '../mcp/toolSets';
import { addedToSet, offInSet, type ToolSwitches } from '../mcp/toolSwitches';
import { absolutePath, TOOL_SETS_FILE } from '../workspaceTools/toolFilePaths';

/** A file of sets is a page or two. */
const MAX_CHARS = 2_000_000;

/** The sets of one workspace folder. */
export interface FolderSets extends ToolSets {
  /** Absolute. */
  readonly folder: string;
  readonly file: string;
}

export interface ToolSetPorts {
  readonly log: Logger;
  readonly switches: ToolSwitches;
  /** Keeps the switches as they are now. */
  readonly keep: () => Promise<void>;
  readonly roots: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** Whether what the file of the used set has added may be on; undefined: not answered. */
  readonly askAdded: (set: string, added: readonly string[]) => Promise<boolean | undefined>;
  /** Whether what the person has switched off may be on while they use the set; undefined: no set. */
  readonly askOff: (set: string, off: readonly string[]) => Promise<boolean | undefined>;
}

/**
 * The sets of tools that repositories keep, and the one that is used. A set only takes away: what it
 * would switch on the person is asked about, once. Which one is used is kept for the person, never
 * in the workspace.
 */
export class ToolSetFiles implements Disposable {
  readonly #ports: ToolSetPorts;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #known: readonly FolderSets[] = [];
  #reading: Promise<void> | undefined;
  /** Additions about which the person was asked in this window, as text. */
  readonly #asked = new Set<string>();

  constructor(ports: ToolSetPorts) {
    this.#ports = ports;
    this.#store.add(this.#changed);
  }

  /** As last read; of folders without a file there is nothing. */
  get folders(): readonly FolderSets[] {
    return this.#known;
  }

  /** Reads the files anew; the used set follows its own. Never rejects. */
  refresh(): Promise<void> {
    // One that began before the change has read too early.
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#read());
    return this.#reading;
  }

  /** The person chooses a set, or none. Nothing changes where they do not answer a question. */
  async use(chosen: { readonly set: ToolSet; readonly folder: string } | undefined): Promise<void> {
    const { switches, keep, askOff } = this.#ports;
    if (chosen === undefined) {
      switches.use(undefined);
      await keep();
      return;
    }
    const { set, folder } = chosen;
    const { name, patterns } = set;
    const off = offInSet(switches.state, patterns);
    const isOn = off.length === 0 ? false : await askOff(name, off);
    if (isOn === undefined) return;
    const on = isOn ? off : [];
    switches.use({ name, folder, agreed: patterns, on, left: [] }, patterns);
    await keep();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    const { isTrusted, roots, log } = this.#ports;
    const found = isTrusted() ? await Promise.all(roots().map(readFolder)) : [];
    if (this.#store.isDisposed) return;
    this.#known = found.filter((one) => one !== undefined);
    for (const { file, faults } of this.#known) {
      for (const fault of faults) log.warn(`${file}: ${fault}`);
    }
    this.#follow();
    this.#changed.fire();
  }

  /** A set that is gone, or cannot be read, goes on as the person agreed to it. */
  #follow(): void {
    const { switches } = this.#ports;
    const used = switches.state.set;
    if (used === undefined) return;
    const current = this.usedSet?.patterns;
    switches.use(used, current);
    const added = current === undefined ? [] : addedToSet(current, used);
    if (added.length > 0) void this.#ask(used.name, added);
  }

  /** The used set as its file has it; undefined where there is none, or the file lacks it. */
  get usedSet(): ToolSet | undefined {
    const used = this.#ports.switches.state.set;
    const of = this.#known.find(({ folder }) => folder === used?.folder);
    return of?.sets.find(({ name }) => name === used?.name);
  }

  async #ask(name: string, added: readonly string[]): Promise<void> {
    const { switches, keep, askAdded, log } = this.#ports;
    const key = JSON.stringify([name, ...added]);
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    try {
      const answer = await askAdded(name, added);
      const used = switches.state.set;
      if (answer === undefined || used?.name !== name) return;
      const change = answer
        ? { agreed: [...used.agreed, ...added] }
        : { left: [...used.left, ...added] };
      switches.use({ ...used, ...change }, this.usedSet?.patterns);
      await keep();
    } catch (error) {
      log.error('The question about a set of tools could not be put', error);
    }
  }
}

async function readFolder(folder: string): Promise<FolderSets | undefined> {
  const file = absolutePath(folder, TOOL_SETS_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    return { folder, file, sets: [], faults: [String(error)], isBroken: true };
  }
  return { folder, file, ...parseToolSets(text.slice(0, MAX_CHARS)) };
}

import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import * as l10n from '@vscode/l10n';
import {
  createServer,
  type Definition,
  MAY_GET_RESOURCES,
  type McpServerDefinition,
} from '../mcp/mcpServer';
import { wireName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';
import type { FileTool, ToolFileFault } from './toolFile';

/** What one file wants to be offered. */
export interface Wanted {
  /** Below the workspace folder, with `/`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** What it is called is only guessed from the file's name: whatever has that name keeps it. */
  readonly isGuess?: boolean | undefined;
  readonly definitions: readonly WantedDefinition[];
}
export interface WantedDefinition {
  /** By it an offer that stays is known. */
  readonly definition: Definition;
  readonly line?: number | undefined;
  /** As it is offered. */
  readonly wrap: (isAllowed: boolean) => Definition;
}

/** What became of it. */
export interface Offered {
  readonly offers: readonly FileTool[];
  readonly faults: readonly ToolFileFault[];
}

interface Entry {
  readonly definition: Definition;
  readonly isAllowed: boolean;
  readonly registration: Disposable;
}

export interface OffersOptions {
  readonly log: Logger;
  readonly registry: ServerRegistry;
  readonly server: string;
  readonly isAllowed: (wireName: string) => boolean;
}

/**
 * Keeps a folder's server what its files want: all changes of one moment at once, so that
 * conversations are told once, and what has not changed is not touched.
 */
export class Offers implements Disposable {
  readonly #options: OffersOptions;
  readonly #entries = new Map<string, Entry>();
  #server: McpServerDefinition | undefined;
  #added: Disposable | undefined;

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /**
   * Of two files that want one name the first keeps it.
   * @param all in the order in which they come first
   * @returns for each file in turn what it offers, and what it does not and why
   */
  set(all: readonly Wanted[]): readonly Offered[] {
    const chosen = chooseAll(all);
    const keep = new Map(
      chosen.flatMap(({ kept }) => kept.map((one) => [keyOf(one.definition), one] as const)),
    );
    for (const [key, entry] of this.#entries) {
      const wanted = keep.get(key);
      if (
        wanted?.definition === entry.definition &&
        this.#isAllowed(wanted.definition) === entry.isAllowed
      )
        continue;
      entry.registration.dispose();
      this.#entries.delete(key);
    }
    return chosen.map(({ kept, faults }, index) => this.#register(all[index], kept, faults));
  }

  /** Takes the server away; its calls end. */
  dispose(): void {
    this.#entries.clear();
    this.#added?.dispose();
    this.#added = undefined;
    this.#server?.stop();
    this.#server = undefined;
  }

  #register(
    wanted: Wanted | undefined,
    kept: readonly WantedDefinition[],
    duplicates: readonly ToolFileFault[],
  ): Offered {
    const faults = [...duplicates];
    const offers: FileTool[] = [];
    for (const one of kept) {
      const { definition, line, wrap } = one;
      const key = keyOf(definition);
      try {
        if (!this.#entries.has(key)) {
          const isAllowed = this.#isAllowed(definition);
          const registration = register(this.#serverNow(), wrap(isAllowed), wanted?.file);
          this.#entries.set(key, { definition, isAllowed, registration });
        }
        offers.push({ kind: definition.kind, name: nameOf(definition) });
      } catch (error) {
        const path = wanted?.path ?? '';
        faults.push({ kind: 'definition', path, line, message: errorMessage(error) });
      }
    }
    return { offers, faults };
  }

  #isAllowed(definition: Definition): boolean {
    const { server, isAllowed } = this.#options;
    return definition.kind === 'tool' && isAllowed(wireName(server, definition.name));
  }

  /** Made with the first offer; then it stays as long as the folder, so that no reload ends a call. */
  #serverNow(): McpServerDefinition {
    if (this.#server !== undefined) return this.#server;
    const { server: name, registry } = this.#options;
    const server = createServer({ name, title: name, capabilities: MAY_GET_RESOURCES });
    this.#added = registry.add(server);
    this.#server = server;
    return server;
  }
}

interface Chosen {
  readonly kept: readonly WantedDefinition[];
  readonly faults: readonly ToolFileFault[];
}

/** For each file in turn. */
function chooseAll(all: readonly Wanted[]): readonly Chosen[] {
  const owners = new Map<string, Wanted>();
  const known = all.map((wanted) => (wanted.isGuess === true ? undefined : choose(wanted, owners)));
  return all.map((wanted, index) => {
    const chosen = known[index];
    if (chosen !== undefined) return chosen;
    // That a guess is wrong is no fault of the file.
    return { kept: choose(wanted, owners).kept, faults: [] };
  });
}

function choose(wanted: Wanted, owners: Map<string, Wanted>): Chosen {
  const kept: WantedDefinition[] = [];
  const faults: ToolFileFault[] = [];
  for (const one of wanted.definitions) {
    const key = keyOf(one.definition);
    const owner = owners.get(key);
    if (owner === undefined) {
      owners.set(key, wanted);
      kept.push(one);
      continue;
    }
    const name = nameOf(one.definition);
    const message =
      owner === wanted
        ? l10n.t(
            "'{0}' is defined twice in {1}; this one is not offered. Give it another name.",
            name,
            wanted.file,
          )
        : l10n.t(
            "'{0}' is defined in {1} and in {2}; this one is not offered. Give it another name.",
            name,
            owner.file,
            wanted.file,
          );
    faults.push({ kind: 'duplicate', path: wanted.path, line: one.line, message });
  }
  return { kept, faults };
}

function register(
  server: McpServerDefinition,
  definition: Definition,
  source: string | undefined,
): Disposable {
  switch (definition.kind) {
    case 'tool':
      return server.registerTool(definition, source);
    case 'prompt':
      return server.registerPrompt(definition, source);
    case 'resource':
      return server.registerResource(definition, source);
  }
}

function nameOf(definition: Definition): string {
  return definition.kind === 'resource' ? definition.uri : definition.name;
}

function keyOf(definition: Definition): string {
  return `${definition.kind} ${nameOf(definition)}`;
}

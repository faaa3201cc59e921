import type { Disposable } from '../base/disposable';
import { errorCode, errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { DefinitionError } from '../mcp/definitionError';
import type { PeerServer } from '../mcp/peerServer';
import type { ServerRegistry } from '../mcp/registry';
import type { AttachedEntry } from './attachedEntry';
import { attachServer } from './attachServer';
import type { StartServer } from './processTransport';

/** How an attached server is. */
export type AttachedState =
  | { readonly kind: 'connecting' | 'connected' }
  /** `reason` is what the server or the machine says; secrets are taken out. */
  | { readonly kind: 'failed'; readonly reason: string; readonly triesAgain?: true };

export interface AttachedServersOptions {
  readonly registry: ServerRegistry;
  readonly log: Logger;
  /** Environment and folder of servers that are started. */
  readonly where: () => {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  };
  /** Starts a program, see `TransportOptions`. */
  readonly start?: StartServer | undefined;
  readonly mask: (text: string, entry: AttachedEntry) => string;
  readonly onFailed: (name: string, reason: string) => void;
  /** One that had failed was tried again: it is connected, or has failed once more. */
  readonly onTriedAgain?: () => void;
  /** From a failure to the next try, in milliseconds: twice as long each time, up to five minutes. 2,000 by default. */
  readonly againMs?: number;
}

const AGAIN_MS = 2_000;
const AGAIN_AT_MOST_MS = 300_000;
/** Some 70 minutes: whoever starts the server later reconnects it. */
const MAX_TRIES = 20;
/** Of what a server refuses: it may be otherwise soon. */
const PASSING = new Set([408, 425, 429]);

interface Attached {
  readonly text: string;
  readonly entry: AttachedEntry;
  state: AttachedState;
  server: PeerServer | undefined;
  /** In the registry. */
  offer: Disposable | undefined;
  /** How often it has failed one after the other. */
  failures: number;
  again: ReturnType<typeof setTimeout> | undefined;
  /** Aborted when it is not wanted any more. */
  readonly gone: AbortController;
}

/** Keeps the servers that this process connects to what the settings say. */
export class AttachedServers implements Disposable {
  readonly #options: AttachedServersOptions;
  readonly #attached = new Map<string, Attached>();
  /** Programs that were started before and are not gone yet: they may hold what the next one needs. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: AttachedServersOptions) {
    this.#options = options;
  }

  /** Undefined for a server that is not one of these. */
  state(name: string): AttachedState | undefined {
    return this.#attached.get(name)?.state;
  }

  get names(): readonly string[] {
    return [...this.#attached.keys()];
  }

  /** Connects to what is new or was changed, lets go of the rest. Resolves when all are there or have failed. */
  async sync(wanted: ReadonlyMap<string, AttachedEntry>): Promise<void> {
    for (const [name, { text }] of [...this.#attached]) {
      const entry = wanted.get(name);
      if (entry === undefined || JSON.stringify(entry) !== text) this.#detach(name);
    }
    const added = [...wanted].filter(([name]) => !this.#attached.has(name));
    await Promise.all(added.map(([name, entry]) => this.#attach(name, entry)));
  }

  /** Ends the connection and makes it anew. */
  async reconnect(name: string): Promise<void> {
    const known = this.#attached.get(name);
    if (known === undefined) return;
    this.#detach(name);
    await this.#attach(name, known.entry);
  }

  dispose(): void {
    for (const name of this.names) this.#detach(name);
  }

  async #attach(name: string, entry: AttachedEntry): Promise<void> {
    const attached: Attached = {
      text: JSON.stringify(entry),
      entry,
      state: { kind: 'connecting' },
      server: undefined,
      offer: undefined,
      failures: 0,
      again: undefined,
      gone: new AbortController(),
    };
    this.#attached.set(name, attached);
    await this.#connect(name, attached);
  }

  async #connect(name: string, attached: Attached): Promise<void> {
    const { log, where, registry, onTriedAgain } = this.#options;
    const { entry } = attached;
    const { signal } = attached.gone;
    const mask = (text: string): string => this.#options.mask(text, entry);
    try {
      await this.#ending.get(name);
      signal.throwIfAborted();
      const start = this.#starterOf(name, signal);
      const how = { name, entry, log, mask, start, signal, source: 'setting' };
      const server = await attachServer({ ...how, ...where() });
      if (signal.aborted) {
        server.dispose();
        return;
      }
      attached.server = server;
      attached.offer = registry.add(server);
      attached.state = { kind: 'connected' };
      server.onDidClose(() => {
        this.#failed(name, attached, 'it ended by itself', false);
      });
      if (attached.failures > 0) onTriedAgain?.();
    } catch (error) {
      const triesAgain = entry.type !== 'stdio' && mayComeYet(error);
      this.#failed(name, attached, mask(errorMessage(error)), triesAgain);
    }
  }

  /** @param gone fires when it is not wanted any more */
  #starterOf(name: string, gone: AbortSignal): StartServer | undefined {
    const { start } = this.#options;
    if (start === undefined) return undefined;
    return (program) => {
      const server = start(program);
      const end = (): Promise<void> => {
        const ending = server.end().finally(() => {
          if (this.#ending.get(name) === ending) this.#ending.delete(name);
        });
        this.#ending.set(name, ending);
        return ending;
      };
      // At once, also of one that still connects: the next one looks for it now.
      gone.addEventListener('abort', () => void end(), { once: true });
      return { child: server.child, end };
    };
  }

  #failed(name: string, attached: Attached, reason: string, mayComeYet: boolean): void {
    if (attached.gone.signal.aborted) return;
    attached.offer?.dispose();
    attached.server?.dispose();
    attached.failures += 1;
    const { log, onFailed, onTriedAgain } = this.#options;
    const triesAgain = mayComeYet && attached.failures < MAX_TRIES;
    attached.state = { kind: 'failed', reason, ...(triesAgain ? { triesAgain } : {}) };
    log.warn(`The server ${name} is not connected: ${reason}`);
    if (triesAgain) this.#tryAgain(name, attached);
    // The person is told once.
    if (attached.failures === 1) onFailed(name, reason);
    else onTriedAgain?.();
  }

  /** A server of elsewhere may be started later than the editor, or its network be there later. */
  #tryAgain(name: string, attached: Attached): void {
    const { againMs = AGAIN_MS } = this.#options;
    const pause = Math.min(againMs * 2 ** (attached.failures - 1), AGAIN_AT_MOST_MS);
    attached.again = setTimeout(() => void this.#connect(name, attached), pause);
  }

  #detach(name: string): void {
    const attached = this.#attached.get(name);
    this.#attached.delete(name);
    if (attached === undefined) return;
    attached.gone.abort(new Error('It is not wanted any more'));
    clearTimeout(attached.again);
    attached.offer?.dispose();
    attached.server?.dispose();
  }
}

/** Not where it is there, and refuses what it is sent, such as a wrong token. */
function mayComeYet(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof DefinitionError || errorCode(one) === 'ERR_INVALID_URL') return false;
    const status = 'code' in one ? Number(one.code) : NaN;
    if (status >= 400 && status < 500) return PASSING.has(status);
  }
  return true;
}

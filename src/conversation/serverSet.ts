import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { ExternalServer } from '../cli/collectServers';
import type { CliSession } from '../cli/cliSession';
import type { DeclaredServer } from '../cli/declareServers';
import { ControlRequestError } from '../cli/outboundCalls';
import type { WireSeat } from '../cli/wireSeat';
import { listChanged } from '../mcp/listKind';
import { manifestOf, sdkServerConfig } from '../mcp/manifest';
import { mcpSetServersResultSchema, mcpStatusResultSchema } from '../protocol/controlResults';
import { fit } from '../protocol/lazySchema';
import type { McpServerEntry } from '../protocol/outboundRequests';
import type { ConversationPorts, ServerStatus } from './conversationPorts';
import {
  describeFaults,
  entriesForCli,
  externalServers,
  filledSecrets,
  withoutSecrets,
} from './externalServers';

/** How long the CLI may take to connect to what is new, in milliseconds; it gives up after 30 s each. */
const CONNECT_WITHIN_MS = 120_000;
const ANSWER_WITHIN_MS = 10_000;

export interface ServerSetOptions {
  readonly ports: ConversationPorts;
  readonly session: CliSession;
  /** The CLI's environment, in which variables of the entries are looked up. */
  readonly env: Readonly<Record<string, string>>;
  /** The in-process servers that this CLI was started with, as they were then. */
  readonly declared: readonly DeclaredServer[];
  /** External servers as they were at its start. */
  readonly external: readonly ExternalServer[];
  /** They stood in its configuration file; else it has not heard of them yet. */
  readonly inFile: boolean;
  /** Where somebody may look at what goes over the wire: is told what must not be shown of it. */
  readonly wire?: Pick<WireSeat, 'secrets'> | undefined;
  /** Shows a line to the person. */
  readonly warn: (text: string) => void;
}

type FullSet = Readonly<Record<string, McpServerEntry>>;

/**
 * Keeps the servers of one running CLI what they should be. The CLI takes a full replacement only,
 * so each change sends all: in-process and external. Entries go over its input, not by argv or file.
 */
export class ServerSet implements Disposable {
  readonly #options: ServerSetOptions;
  readonly #store = new DisposableStore();
  readonly #told = new Set<string>();
  #external: readonly ExternalServer[];
  /** What the CLI has, as text; undefined while that is not known. */
  #has: string | undefined;
  #running: Promise<void> | undefined;
  #wanted = false;
  /** Names of in-process servers that came since the last set. */
  readonly #added = new Set<string>();

  constructor(options: ServerSetOptions) {
    this.#options = options;
    this.#external = options.external;
    const { ports, declared, inFile, external } = options;
    const sdk = declared.map(({ name, version = '' }) => [name, version] as const);
    this.#has = textOf(fullSet(sdk, inFile ? entriesForCli(external) : {}));
    this.#tellFaults();
    this.#hideSecrets();
    this.#store.add(
      ports.registry.onDidChange(({ kind, server }) => {
        if (kind === 'added') this.#added.add(server);
        if (kind === 'added' || kind === 'removed') this.#soon();
      }),
    );
    if (ports.externalServers) {
      this.#store.add(
        ports.externalServers.onDidChange(() => {
          this.#soon();
        }),
      );
    }
    this.#tellOutdated(declared);
    void this.#start(() => this.#send(external));
  }

  /** Names of the servers that the CLI connects to itself. */
  get externalNames(): readonly string[] {
    return Object.keys(entriesForCli(this.#external));
  }

  /** Sends the set as it is now, when it differs. Never rejects. */
  sync(): Promise<void> {
    this.#wanted = true;
    return this.#running ?? this.#start();
  }

  async status(): Promise<readonly ServerStatus[]> {
    const body = await this.#options.session.request(
      'mcp_status',
      {},
      { timeoutMs: ANSWER_WITHIN_MS },
    );
    const read = fit(mcpStatusResultSchema(), body);
    if (!read.ok) return [];
    return read.value.mcpServers.map(({ name, status = '', error, tools }) => ({
      name,
      status,
      error: error && withoutSecrets(error, this.#external),
      toolCount: tools?.length ?? 0,
      tools: tools?.map((tool) => tool.name),
    }));
  }

  async reconnect(name: string): Promise<void> {
    try {
      const options = { timeoutMs: CONNECT_WITHIN_MS };
      await this.#options.session.request('mcp_reconnect', { serverName: name }, options);
    } catch (error) {
      throw new Error(withoutSecrets(errorMessage(error), this.#external), { cause: error });
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Servers that come or go in one moment are told of together. */
  #soon(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    setImmediate(() => void this.sync());
  }

  #start(first?: () => Promise<void>): Promise<void> {
    this.#running = this.#run(first).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(first?: () => Promise<void>): Promise<void> {
    const { ports, env } = this.#options;
    await first?.();
    while (this.#wanted && !this.#store.isDisposed) {
      this.#wanted = false;
      try {
        this.#external = await externalServers(ports, { env, cwd: ports.folder?.path ?? '' });
      } catch (error) {
        // Those of before go on, and what changes of our own is sent all the same.
        ports.log.error('The servers could not be read', error);
      }
      this.#tellFaults();
      this.#hideSecrets();
      await this.#send(this.#external);
    }
  }

  async #send(external: readonly ExternalServer[]): Promise<void> {
    const { ports, session } = this.#options;
    const sdk = ports.registry.all().map(({ name, version }) => [name, version] as const);
    const servers = fullSet(sdk, entriesForCli(external));
    const text = textOf(servers);
    const added = [...this.#added];
    this.#added.clear();
    if (this.#store.isDisposed) return;
    if (text === this.#has) {
      // One that went and came in one moment is another one, which the CLI cannot see.
      added.forEach((name) => this.#tellTools(name));
      return;
    }
    // What it does not take is sent again the next time.
    this.#has = undefined;
    try {
      const options = { timeoutMs: CONNECT_WITHIN_MS };
      const body = await session.request('mcp_set_servers', { servers }, options);
      this.#has = text;
      const fitted = fit(mcpSetServersResultSchema(), body);
      const answer = fitted.ok ? fitted.value : {};
      // It knows them by their names: of another one with the same name it has the old tools.
      const replaced = added.filter((name) => answer.added?.includes(name) !== true);
      replaced.filter((name) => name in servers).forEach((name) => this.#tellTools(name));
      for (const [name, reason] of Object.entries(answer.errors ?? {})) {
        this.#warnOnce(
          l10n.t('The server {0} could not be connected: {1}', name, this.#masked(reason)),
        );
      }
    } catch (error) {
      added.forEach((name) => this.#added.add(name));
      // With the CLI its servers are gone, and the next one gets them anew.
      if (error instanceof ControlRequestError && error.kind === 'closed') return;
      this.#warnOnce(
        l10n.t(
          'The servers could not be handed to the agent: {0}',
          this.#masked(errorMessage(error)),
        ),
      );
    }
  }

  /**
   * Of what has changed while the CLI started it was told by nobody: it has the lists that were
   * declared, and hears of changes only once it has answered.
   */
  #tellOutdated(declared: readonly DeclaredServer[]): void {
    for (const { name, manifest } of declared) {
      const server = this.#options.ports.registry.find(name);
      if (server === undefined || manifest === undefined) continue;
      const now = JSON.stringify(manifestOf(server)?.toolsListResult);
      if (now !== JSON.stringify(manifest.toolsListResult)) this.#tellTools(name);
    }
  }

  /** Has the CLI list the tools of a server anew. */
  #tellTools(name: string): void {
    const { ports, session } = this.#options;
    const body = { server_name: name, message: { ...listChanged('tools') } };
    session.request('mcp_message', body).catch((error: unknown) => {
      ports.log.warn(`The CLI was not told of other tools: ${errorMessage(error)}`);
    });
  }

  #masked(text: string): string {
    return withoutSecrets(text, this.#external);
  }

  #hideSecrets(): void {
    for (const secret of filledSecrets(this.#external)) this.#options.wire?.secrets.add(secret);
  }

  #tellFaults(): void {
    for (const text of describeFaults(this.#external)) this.#warnOnce(text);
  }

  #warnOnce(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.ports.log.warn(text);
    this.#options.warn(text);
  }
}

function fullSet(
  sdk: readonly (readonly [name: string, version: string])[],
  external: FullSet,
): FullSet {
  const own = sdk.map(([name, version]) => [name, sdkServerConfig(name, version)] as const);
  return Object.fromEntries([...Object.entries(external), ...own]);
}

function textOf(servers: FullSet): string {
  return JSON.stringify(servers);
}

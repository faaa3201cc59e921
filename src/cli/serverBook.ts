import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage, isMissing } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import { isJsonObject } from '../protocol/lazySchema';
import {
  collectServers,
  type ExternalServer,
  parseServerFile,
  type ServerSource,
  type WrittenServer,
} from './collectServers';
import { configFile, type PersonScopes, tryReadPersonScopes } from './personServers';
import { homeOf } from './prepareCli';
import type { WorkspaceApprovals } from './workspaceApprovals';

/** The file in which a workspace names servers. */
export const WORKSPACE_FILE = '.mcp.json';

export interface ServerBookPorts {
  readonly log: Logger;
  /** `patchbay.mcpServers` as it stands in the settings. */
  readonly settingServers: () => Readonly<Record<string, unknown>>;
  /** `patchbay.mcpConfigFile`; empty for none. */
  readonly configFile: () => string;
  readonly secret: (name: string) => PromiseLike<string | undefined>;
  readonly isTrusted: () => boolean;
  /** Names of the in-process servers. */
  readonly reserved: () => readonly string[];
  /** Whether a server is switched off. */
  readonly isOff: (name: string) => boolean;
  readonly approvals: WorkspaceApprovals;
}

/** For which CLI the servers are wanted. */
export interface ServersFor {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * All external servers of a conversation, from wherever they are written down. The workspace's own
 * are looked at in a trusted workspace only, and asked about one by one before they are used.
 */
export class ServerBook implements Disposable {
  readonly #ports: ServerBookPorts;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  /** As last read, by folder: a file that is being written must not take servers away. */
  readonly #lastPerson = new Map<string, PersonScopes>();
  /** The same of the files that hold nothing else, by path. */
  readonly #lastRead = new Map<string, readonly WrittenServer[]>();

  /** Fires when {@link collect} may give something else. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: ServerBookPorts) {
    this.#ports = ports;
    this.#store.add(
      ports.approvals.onDidChange(() => {
        this.refresh();
      }),
    );
  }

  /** To be called when a setting, a secret, a switch or a file has changed. */
  refresh(): void {
    this.#changed.fire();
  }

  /** Never rejects; what cannot be used is in the list with its reason. Puts the open questions. */
  async collect(wanted: ServersFor): Promise<ExternalServer[]> {
    const { log, approvals, secret } = this.#ports;
    const faults: ExternalServer[] = [];
    const written = [
      ...entriesOf('setting', this.#ports.settingServers()),
      ...(await this.#configFile(wanted, faults)),
      ...this.#person(wanted),
      ...(await this.#workspace(wanted, faults)),
    ];
    const servers = await collectServers({
      written,
      reserved: this.#ports.reserved(),
      isOff: this.#ports.isOff,
      isApproved: (name, value) => approvals.isApproved(wanted.cwd, name, value),
      env: wanted.env,
      secret,
      log,
    });
    const open = written.filter(
      ({ source, name }) =>
        source === 'workspace' &&
        servers.some((one) => one.name === name && one.state === 'unapproved'),
    );
    approvals.keepOnly(
      wanted.cwd,
      open.map(({ name }) => name),
    );
    for (const { name, value } of open) approvals.request(wanted.cwd, name, value);
    return [...servers, ...faults];
  }

  /** The workspace's entry as {@link collect} has it now; undefined when there is none. Never rejects. */
  async workspaceEntry(cwd: string, name: string): Promise<unknown> {
    const servers = await this.#read(path.join(cwd, WORKSPACE_FILE), 'workspace', []);
    return servers.find((one) => one.name === name)?.value;
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  async #configFile(
    wanted: ServersFor,
    faults: ExternalServer[],
  ): Promise<readonly WrittenServer[]> {
    const configured = this.#ports.configFile().trim();
    if (configured === '') return [];
    const file = namedFile(configured, wanted.env);
    if (!path.isAbsolute(file)) {
      const reason = l10n.t('{0} must be a whole path', 'patchbay.mcpConfigFile');
      faults.push({ name: configured, source: 'file', state: 'bad', reason });
      return [];
    }
    return this.#read(file, 'file', faults);
  }

  #person({ env, cwd }: ServersFor): WrittenServer[] {
    const options = { env, home: homeOf(env), cwd, log: this.#ports.log };
    const key = JSON.stringify([configFile(options), cwd]);
    const scopes = tryReadPersonScopes(options) ?? this.#lastPerson.get(key);
    if (scopes === undefined) return [];
    this.#lastPerson.set(key, scopes);
    return [...entriesOf('local', scopes.local), ...entriesOf('user', scopes.user)];
  }

  async #workspace(
    { cwd }: ServersFor,
    faults: ExternalServer[],
  ): Promise<readonly WrittenServer[]> {
    if (!this.#ports.isTrusted()) return [];
    return this.#read(path.join(cwd, WORKSPACE_FILE), 'workspace', faults);
  }

  /** A file that is no JSON may be half written: what it named before stays. */
  async #read(
    file: string,
    source: 'file' | 'workspace',
    faults: ExternalServer[],
  ): Promise<readonly WrittenServer[]> {
    const fault = (reason: string): void => {
      faults.push({ name: file, source, state: 'bad', reason });
    };
    let servers: readonly WrittenServer[] = [];
    try {
      const parsed = parseServerFile(await readFile(file, 'utf8'));
      servers = [...parsed].map(([name, value]) => ({ name, source, value }));
    } catch (error) {
      if (error instanceof SyntaxError) {
        const last = this.#lastRead.get(file);
        // Without its text, which the parser quotes: it may hold a token.
        if (last === undefined) fault(l10n.t('it is not valid JSON'));
        else fault(l10n.t('it is not valid JSON, so its servers stay as they were'));
        return last ?? [];
      }
      if (!isMissing(error)) fault(errorMessage(error));
      else if (source === 'file') fault(l10n.t('there is no such file'));
    }
    this.#lastRead.set(file, servers);
    return servers;
  }
}

/** The path that `patchbay.mcpConfigFile` means, with `~` for the home folder. */
export function namedFile(configured: string, env: ServersFor['env']): string {
  return configured.trim().replace(/^~(?=$|[/\\])/, () => homeOf(env));
}

function entriesOf(source: ServerSource, servers: unknown): WrittenServer[] {
  if (!isJsonObject(servers)) return [];
  return Object.entries(servers).map(([name, value]) => ({ name, source, value }));
}

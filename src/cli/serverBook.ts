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
    const ofWorkspace = written.filter(({ source }) => source === 'workspace');
    approvals.keepOnly(
      wanted.cwd,
      ofWorkspace.map(({ name }) => name),
    );
    for (const { name, value } of ofWorkspace) {
      const isOpen = servers.some((one) => one.name === name && one.state === 'unapproved');
      if (isOpen) approvals.request(wanted.cwd, name, value);
    }
    return [...servers, ...faults];
  }

  /** The workspace's entry as it stands in its file now; undefined when there is none. */
  async workspaceEntry(cwd: string, name: string): Promise<unknown> {
    const text = await readFile(path.join(cwd, WORKSPACE_FILE), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : parseServerFile(text).get(name);
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  async #configFile(wanted: ServersFor, faults: ExternalServer[]): Promise<WrittenServer[]> {
    const configured = this.#ports.configFile().trim();
    if (configured === '') return [];
    const home = homeOf(wanted.env);
    const file = configured.replace(/^~(?=$|[/\\])/, home);
    if (!path.isAbsolute(file)) {
      const reason = l10n.t('{0} must be a whole path', 'patchbay.mcpConfigFile');
      faults.push({ name: configured, source: 'file', state: 'bad', reason });
      return [];
    }
    return readServers(file, 'file', faults, true);
  }

  #person({ env, cwd }: ServersFor): WrittenServer[] {
    const options = { env, home: homeOf(env), cwd, log: this.#ports.log };
    const key = JSON.stringify([configFile(options), cwd]);
    const scopes = tryReadPersonScopes(options) ?? this.#lastPerson.get(key);
    if (scopes === undefined) return [];
    this.#lastPerson.set(key, scopes);
    return [...entriesOf('local', scopes.local), ...entriesOf('user', scopes.user)];
  }

  async #workspace({ cwd }: ServersFor, faults: ExternalServer[]): Promise<WrittenServer[]> {
    if (!this.#ports.isTrusted()) return [];
    return readServers(path.join(cwd, WORKSPACE_FILE), 'workspace', faults, false);
  }
}

async function readServers(
  file: string,
  source: ServerSource,
  faults: ExternalServer[],
  mustExist: boolean,
): Promise<WrittenServer[]> {
  try {
    const servers = parseServerFile(await readFile(file, 'utf8'));
    return [...servers].map(([name, value]) => ({ name, source, value }));
  } catch (error) {
    if (!isMissing(error) || mustExist) {
      const reason = isMissing(error) ? l10n.t('there is no such file') : readFault(error);
      faults.push({ name: file, source, state: 'bad', reason });
    }
    return [];
  }
}

/** Without the text of the file, which a parser may quote: it may hold a token. */
function readFault(error: unknown): string {
  return error instanceof SyntaxError ? l10n.t('it is not valid JSON') : errorMessage(error);
}

function entriesOf(source: ServerSource, servers: unknown): WrittenServer[] {
  if (!isJsonObject(servers)) return [];
  return Object.entries(servers).map(([name, value]) => ({ name, source, value }));
}

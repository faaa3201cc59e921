import type { Logger } from '../base/logger';
import { isJsonObject } from '../protocol/lazySchema';
import * as l10n from '@vscode/l10n';
import { fillVariables } from './fillVariables';
import { type ExternalEntry, parseServerEntry, type RunIn } from './serverEntry';

/** Where an external server is written down; the first wins where two have one name. */
export const serverSources = ['setting', 'file', 'local', 'user', 'workspace'] as const;
export type ServerSource = (typeof serverSources)[number];

/** An entry as it stands somewhere, not yet read. */
export interface WrittenServer {
  readonly name: string;
  readonly source: ServerSource;
  readonly value: unknown;
}

/** An external server, whether it can be used or not. */
export interface ExternalServer {
  readonly name: string;
  readonly source: ServerSource;
  readonly state:
    | 'on'
    /** The person has switched it off. */
    | 'off'
    /** Of the workspace, and not approved as it stands now. */
    | 'unapproved'
    /** Another of the same name goes before it. */
    | 'hidden'
    | 'bad';
  /** Localized; for `bad` and `hidden`. */
  readonly reason?: string;
  readonly runIn?: RunIn;
  /** As it was written, variables not filled in: what may be shown. */
  readonly written?: ExternalEntry;
  /** Ready for use. Holds secrets: never shown, never logged. Only where `state` is `on`. */
  readonly entry?: ExternalEntry;
  /** Of what was filled into `entry`, the values that are secrets. */
  readonly secrets?: readonly string[];
}

export interface CollectOptions {
  readonly written: readonly WrittenServer[];
  /** Names of our own servers, which nothing may take. */
  readonly reserved: readonly string[];
  readonly isOff: (name: string) => boolean;
  readonly isApproved: (name: string, value: unknown) => boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secret: (name: string) => PromiseLike<string | undefined>;
  readonly log: Logger;
}

/**
 * Reads all entries, in the order of {@link serverSources}. One bad entry does not touch the others.
 * The person's own entries may use secrets; what a workspace brings may not.
 */
export async function collectServers(options: CollectOptions): Promise<ExternalServer[]> {
  const taken = new Map<string, string>(options.reserved.map((name) => [cleaned(name), name]));
  const ordered = [...options.written].sort(
    (a, b) => serverSources.indexOf(a.source) - serverSources.indexOf(b.source),
  );
  const found: ExternalServer[] = [];
  for (const server of ordered) {
    const read = await readServer(server, taken, options);
    if (read.state !== 'bad' && read.state !== 'hidden') taken.set(cleaned(read.name), read.name);
    if (read.reason !== undefined) {
      options.log.warn(`The server ${read.name} (${read.source}) is left out: ${read.reason}`);
    }
    found.push(read);
  }
  return found;
}

async function readServer(
  { name, source, value }: WrittenServer,
  taken: ReadonlyMap<string, string>,
  options: CollectOptions,
): Promise<ExternalServer> {
  const own = { name, source };
  const fault = nameFault(name);
  if (fault !== undefined) return { ...own, state: 'bad', reason: fault };
  const parsed = parseServerEntry(value);
  if (!parsed.ok) return { ...own, state: 'bad', reason: parsed.reason };
  const { entry: written, runIn } = parsed;
  const known = { ...own, runIn, written };
  const other = taken.get(cleaned(name));
  if (other !== undefined) {
    return { ...known, state: 'hidden', reason: l10n.t('another server is called {0}', other) };
  }
  if (runIn === 'editor' && source === 'workspace') {
    return {
      ...known,
      state: 'bad',
      reason: l10n.t('{0} works in your own settings only', 'runIn'),
    };
  }
  if (source === 'workspace' && !options.isApproved(name, value)) {
    return { ...known, state: 'unapproved' };
  }
  if (options.isOff(name)) return { ...known, state: 'off' };
  const filled = await fillVariables(written, {
    env: options.env,
    ...(source === 'setting' || source === 'file' ? { secret: options.secret } : {}),
  });
  return filled.ok
    ? { ...known, state: 'on', entry: filled.entry, secrets: filled.secrets }
    : { ...known, state: 'bad', reason: filled.reason };
}

/** Of a server called `ide` the CLI offers two tools of its own making only. */
function nameFault(name: string): string | undefined {
  if (name === '') return l10n.t('its name is empty');
  return cleaned(name) === 'ide' ? l10n.t('the agent keeps this name for itself') : undefined;
}

/** As the CLI writes it into the names of tools; two that are equal then would be merged. */
function cleaned(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The entries of a text of the form `{"mcpServers":{…}}`. @throws SyntaxError and TypeError */
export function parseServerFile(text: string): ReadonlyMap<string, unknown> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const servers = isJsonObject(value) ? value.mcpServers : undefined;
  if (!isJsonObject(servers)) throw new TypeError(l10n.t('it has no object {0}', 'mcpServers'));
  return new Map(Object.entries(servers));
}

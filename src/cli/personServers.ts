import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { isJsonObject } from '../protocol/lazySchema';
import type { McpServerEntry } from '../protocol/outboundRequests';
import { configFolder } from './configFolder';
import { projectEntry, projectFolders } from './projectFolders';

/**
 * The MCP servers that the person configured for the CLI. We start it with `--strict-mcp-config`,
 * because of the workspace's `.mcp.json`, so we hand these over ourselves.
 * Source, seen with `claude mcp add`: user scope `mcpServers` of its configuration, local scope
 * `projects[P].mcpServers` with P as `projectFolders` has it; local goes before user.
 */
export type Servers = Readonly<Record<string, McpServerEntry>>;

export interface PersonServersOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly log: Logger;
}

/**
 * Where the CLI keeps its own configuration: in `.claude.json` of CLAUDE_CONFIG_DIR, else of the home
 * folder. Fact (2.1.332): where an early version has left a `.config.json` that is not empty, it
 * goes on with that one.
 */
export function configFile({
  env,
  home,
  cwd,
}: Pick<PersonServersOptions, 'env' | 'home'> & { readonly cwd?: string }): string {
  const folder = configFolder({ env, home, folder: cwd });
  const early = path.join(folder, '.config.json');
  if (isFull(early)) return early;
  return path.join((env.CLAUDE_CONFIG_DIR ?? '') === '' ? home : folder, '.claude.json');
}

function isFull(file: string): boolean {
  try {
    const found = statSync(file);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}

/** The servers of each scope, those left out that are switched off for the folder. */
export interface PersonScopes {
  readonly user: Servers;
  readonly local: Servers;
}

const NONE: PersonScopes = { user: {}, local: {} };

/** Both scopes in one, local before user. */
export function readPersonServers(options: PersonServersOptions): Servers {
  const { user, local } = readPersonScopes(options);
  return { ...user, ...local };
}

/** Never throws: a missing file means no servers, a broken one too, with a line in the log. */
export function readPersonScopes(options: PersonServersOptions): PersonScopes {
  return tryReadPersonScopes(options) ?? NONE;
}

/** Undefined for a broken file, such as one that is being written, with a line in the log. */
export function tryReadPersonScopes(options: PersonServersOptions): PersonScopes | undefined {
  const file = configFile(options);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return NONE;
  }
  try {
    // The person's editor may have put a byte-order mark there.
    const config: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isJsonObject(config) ? collect(config, options) : NONE;
  } catch (error) {
    options.log.warn(`No servers were read from ${file}: ${errorMessage(error)}`);
    return undefined;
  }
}

function collect(config: Record<string, unknown>, options: PersonServersOptions): PersonScopes {
  const project = projectEntry(config.projects, projectFolders(options.cwd)) ?? {};
  const disabled = new Set(
    Array.isArray(project.disabledMcpServers) ? project.disabledMcpServers : [],
  );
  const read = (scope: unknown): Servers => {
    if (!isJsonObject(scope)) return {};
    const servers = new Map<string, McpServerEntry>();
    for (const [name, entry] of Object.entries(scope)) {
      if (isJsonObject(entry) && !disabled.has(name)) servers.set(name, entry);
      else options.log.info(`The server ${name} is switched off or not an object; left out`);
    }
    return Object.fromEntries(servers);
  };
  return { user: read(config.mcpServers), local: read(project.mcpServers) };
}

export interface McpConfigFile extends Disposable {
  readonly path: string;
  dispose(): Promise<void>;
}

/**
 * Writes the configuration for `--mcp-config` to a file that only this user can read: entries hold
 * tokens. Ours go before a person's server of the same name. Undefined when there is none.
 * The owner disposes it when the CLI has ended.
 */
export async function writeMcpConfig(
  servers: { readonly own: Servers; readonly person: Servers },
  folder: string,
): Promise<McpConfigFile | undefined> {
  const mcpServers = new Map([...Object.entries(servers.person), ...Object.entries(servers.own)]);
  if (mcpServers.size === 0) return undefined;
  const file = path.join(folder, `patchbay-mcp-${randomUUID()}.json`);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(mcpServers) });
  // `wx`: never through a link that someone else put there.
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return { path: file, dispose: () => rm(file, { force: true }) };
}

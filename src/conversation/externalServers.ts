import * as l10n from '@vscode/l10n';
import type { Logger } from '../base/logger';
import { collectServers, type ExternalServer } from '../cli/collectServers';
import { maskSecrets } from '../base/maskSecrets';
import { readPersonScopes } from '../cli/personServers';
import { homeOf } from '../cli/prepareCli';
import type { ServersFor } from '../cli/serverBook';
import { isJsonObject } from '../protocol/lazySchema';
import type { McpServerEntry } from '../protocol/outboundRequests';
import type { ConversationPorts } from './conversationPorts';
import { SecretsSeen } from './wire/secretsSeen';

/** The external servers of a conversation, those that cannot be used included. */
export function externalServers(
  ports: Pick<ConversationPorts, 'externalServers' | 'registry' | 'log'>,
  wanted: ServersFor,
): Promise<readonly ExternalServer[]> {
  return ports.externalServers?.collect(wanted) ?? personsOnly(ports, wanted, ports.log);
}

function personsOnly(
  { registry }: Pick<ConversationPorts, 'registry'>,
  { env, cwd }: ServersFor,
  log: Logger,
): Promise<ExternalServer[]> {
  const scopes = readPersonScopes({ env, home: homeOf(env), cwd, log });
  return collectServers({
    written: (['local', 'user'] as const).flatMap((source) =>
      Object.entries(scopes[source]).map(([name, value]) => ({ name, source, value })),
    ),
    reserved: registry.all().map(({ name }) => name),
    isOff: () => false,
    isApproved: () => false,
    env,
    secret: () => Promise.resolve(undefined),
    log,
  });
}

/** Those that the CLI connects to, as it is told of them. Holds secrets. */
export function entriesForCli(
  servers: readonly ExternalServer[],
): Readonly<Record<string, McpServerEntry>> {
  return Object.fromEntries(
    servers.flatMap(({ name, entry, runIn }) =>
      entry !== undefined && runIn !== 'editor' ? [[name, entry] as const] : [],
    ),
  );
}

/** One localized line for each server that cannot be used as it is written. */
export function describeFaults(servers: readonly ExternalServer[]): string[] {
  return servers.flatMap(({ name, state, reason }) =>
    state === 'bad' && reason !== undefined
      ? [l10n.t('The server {0} is left out: {1}. The other servers work.', name, reason)]
      : [],
  );
}

/** A text of the CLI about servers, without what stands in their headers, environments and secrets. */
export function withoutSecrets(text: string, servers: readonly ExternalServer[]): string {
  const seen = new SecretsSeen();
  for (const { entry } of servers) seen.learn(entry);
  const given = servers.flatMap(({ entry }) =>
    [entry?.env, entry?.headers].flatMap((values) =>
      isJsonObject(values) ? Object.values(values).filter((value) => isLong(value)) : [],
    ),
  );
  return maskSecrets(text, [...given, ...seen.values, ...filledSecrets(servers)]);
}

/** The secrets that were filled in, wherever they stand in an entry, also as they stand in a URL. */
export function filledSecrets(servers: readonly ExternalServer[]): readonly string[] {
  const values = servers.flatMap(({ secrets = [] }) => secrets.filter((value) => isLong(value)));
  // A URL makes less of some, such as nothing of `secret/..`.
  const all = values.flatMap((value) => [value, ...inUrls(value)]).filter((value) => isLong(value));
  return [...new Set(all)];
}

/** As a URL writes it in its path, in its query, and before its host. */
function inUrls(value: string): string[] {
  const login = new URL('http://h/');
  login.password = value;
  return [
    ...['http://h/', 'http://h/?'].map((before) => after(before, before + value)),
    login.password,
  ];
}

function after(before: string, url: string): string {
  return new URL(url).href.slice(before.length);
}

/** A shorter one would blot out ordinary words. */
function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 6;
}

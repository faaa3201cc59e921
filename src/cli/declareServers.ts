import type { InitializeResult } from '../protocol/controlResults';
import type {
  InitializeOptions,
  McpServerEntry,
  SdkMcpServerManifest,
} from '../protocol/outboundRequests';

/** An in-process server as it is declared. */
export interface DeclaredServer {
  readonly name: string;
  /** Default `1.0.0`. */
  readonly version?: string;
  /** Absent where it is not known beforehand: the CLI then shakes hands with the server. */
  readonly manifest?: SdkMcpServerManifest;
}

export interface ServerDeclaration {
  /** Goes into `initialize`. Empty when the servers stand in the configuration file. */
  readonly initialize: Pick<InitializeOptions, 'sdkMcpServers' | 'sdkMcpServerManifests'>;
  /** Entries for the `--mcp-config` file; type, name and version only. */
  readonly mcpConfig: Readonly<Record<string, McpServerEntry>>;
}

/**
 * How the servers are told to the CLI: with complete manifests where they are known and it may
 * know them, so that no turn waits for a handshake; else as bare `sdk` entries of the configuration file.
 * An entry never holds an instance or a closure: it is written as JSON.
 */
export function declareServers(
  servers: readonly DeclaredServer[],
  manifests: 'yes' | 'no' | 'unknown',
): ServerDeclaration {
  if (servers.length === 0) return { initialize: {}, mcpConfig: {} };
  if (manifests === 'no') {
    const entry = ({ name, version = '1.0.0' }: DeclaredServer) =>
      [name, { type: 'sdk', name, version }] as const;
    return { initialize: {}, mcpConfig: fromEntries(servers.map(entry)) };
  }
  return {
    initialize: {
      sdkMcpServers: servers.map(({ name }) => name),
      sdkMcpServerManifests: fromEntries(
        servers.flatMap(({ name, manifest }) => (manifest ? [[name, manifest] as const] : [])),
      ),
    },
    mcpConfig: {},
  };
}

/**
 * True when this CLI did not take the manifests and should be started once more with the servers in
 * the configuration file. A CLI that parked none but knows the word is left alone.
 */
export function needsConfigRestart(
  declaration: ServerDeclaration,
  answer: Pick<InitializeResult, 'sdk_mcp_manifests_parked'>,
): boolean {
  return (
    Object.keys(declaration.initialize.sdkMcpServerManifests ?? {}).length > 0 &&
    answer.sdk_mcp_manifests_parked === undefined
  );
}

/** A server may be called `__proto__`; `Object.fromEntries` defines it as a key of its own. */
function fromEntries<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

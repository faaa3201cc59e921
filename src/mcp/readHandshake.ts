import type { Logger } from '../base/logger';
import { readCapabilities } from './capabilities';
import { RPC_INTERNAL, RpcError } from './jsonRpc';
import { PROTOCOL_VERSIONS } from './manifest';
import { type InitializeResult, isRecord, ownField } from './wire';

/** The version that servers of others are asked for. */
export const NEWEST_VERSION = '2025-11-25';
/** Such as the CLI takes; the oldest we do not answer with, but others do. */
const KNOWN_VERSIONS: readonly string[] = ['2024-10-07', ...PROTOCOL_VERSIONS];

/**
 * What a server of others answered to `initialize`, as the CLI takes it: for one field of the wrong
 * kind that marks the server as failed without a word, and shakes hands with all others again. What
 * can be filled in honestly is, and the log says so.
 * @throws RpcError that says what the server has to answer
 */
export function readHandshake(answer: object, server: string, log: Logger): InitializeResult {
  const capabilities = ownField(answer, 'capabilities');
  const info = ownField(answer, 'serverInfo');
  if (!isRecord(capabilities) || !isRecord(info)) {
    const wanted = 'it needs the objects capabilities and serverInfo';
    const text = `Its answer to initialize is not one of an MCP server: ${wanted}`;
    throw new RpcError(RPC_INTERNAL, text);
  }
  const filled: string[] = [];
  const textOf = (value: unknown, field: string, otherwise: string): string => {
    if (typeof value === 'string') return value;
    filled.push(field);
    return otherwise;
  };
  const { name, version, title } = info;
  const instructions = ownField(answer, 'instructions');
  const asked = ownField(answer, 'protocolVersion') ?? undefined;
  const result = {
    // Silence is taken as consent to the version that was asked for.
    protocolVersion: textOf(asked, 'protocolVersion', NEWEST_VERSION),
    capabilities: readCapabilities(capabilities),
    serverInfo: {
      name: textOf(name, 'serverInfo.name', server),
      version: textOf(
        version,
        'serverInfo.version',
        typeof version === 'number' ? `${version}` : '',
      ),
      ...(typeof title === 'string' ? { title } : {}),
    },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
  if (!KNOWN_VERSIONS.includes(result.protocolVersion)) {
    const text = `It answered initialize with protocolVersion '${result.protocolVersion}', but has to speak one of ${KNOWN_VERSIONS.join(', ')}`;
    throw new RpcError(RPC_INTERNAL, text);
  }
  if (filled.length > 0) {
    log.warn(
      `The server ${server} is offered although its answer to initialize lacks a text in ${filled.join(', ')}`,
    );
  }
  return result;
}

import { DefinitionError } from './definitionError';
import { type Connectable, ForeignBridge } from './foreignBridge';
import { inTime } from './inTime';

/**
 * Connects to a server that others bring. One that connects too late is let go of.
 * @throws DefinitionError for what is no such server, RpcError where it takes too long, and what
 *   its own `connect` throws
 */
export async function connectBridge(server: Connectable): Promise<ForeignBridge> {
  // Other extensions may be plain JavaScript.
  const given = server as Partial<Connectable> | null | undefined;
  if (typeof given?.connect !== 'function') {
    throw new DefinitionError('server must have connect(transport)');
  }
  const connecting = ForeignBridge.connect(server);
  try {
    return await inTime(connecting, 'connect');
  } catch (error) {
    connecting.then(
      (late) => late.dispose(),
      () => undefined,
    );
    throw error;
  }
}

import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { CliSession } from '../cli/cliSession';

/** A title is written in no time; what hangs does not write another one over ours. */
const WITHIN_MS = 10_000;

/**
 * Has the running CLI give its session a title: it would write the one that it knows over any other.
 * @returns false where none runs, or where it does not take it: then the file can be written
 */
export async function renameLive(
  agent: { settled(): Promise<Pick<CliSession, 'request'> | undefined> },
  log: Logger,
  title: string,
): Promise<boolean> {
  const session = await agent.settled();
  if (!session) return false;
  try {
    await session.request('rename_session', { title, source: 'host' }, { timeoutMs: WITHIN_MS });
    return true;
  } catch (error) {
    log.warn(`The agent did not take the title: ${errorMessage(error)}`);
    return false;
  }
}

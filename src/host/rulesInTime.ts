import type { Uri } from 'vscode';
import { type DeniedBy, lookAtRules, type ReadGuard } from '../editor/readGuard';

/** A list of names waits no longer for the rules, in milliseconds. */
const WITHIN_MS = 250;

/**
 * For a list that is open while somebody types: what the rules say, if they say it soon. An agent that
 * is starting tells its own rules only then. What is sent is looked at again, however long that takes.
 */
export async function rulesInTime(
  guard: ReadGuard | undefined,
  uris: readonly Uri[],
): Promise<DeniedBy> {
  const late = new Promise<DeniedBy>((resolve) =>
    setTimeout(() => resolve(() => undefined), WITHIN_MS),
  );
  return Promise.race([lookAtRules(guard, uris), late]);
}

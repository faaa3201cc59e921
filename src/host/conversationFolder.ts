import path from 'node:path';
import { pathBelow } from '../workFiles/pathBelow';
import { resolveRealPath } from '../workFiles/realPath';

/**
 * Where a conversation of another extension works. The agent's rights end at the workspace, which
 * the person has trusted: a link that leads out of it is no folder of it.
 * @throws Error where no folder is open, or the wanted one is not in the workspace
 */
export async function conversationFolder(
  roots: readonly string[],
  cwd: string | undefined,
): Promise<{ readonly name: string; readonly path: string }> {
  const [first] = roots;
  if (first === undefined) throw new Error('No folder is open');
  // Other extensions may be plain JavaScript.
  const given: unknown = cwd ?? first;
  const folder = typeof given === 'string' && path.isAbsolute(given) ? given : undefined;
  const real = folder === undefined ? undefined : await resolveRealPath(folder);
  const realRoots = await Promise.all(roots.map(resolveRealPath));
  const isInside = (at: string): boolean =>
    realRoots.some((root) => pathBelow(root, at) !== undefined);
  if (folder === undefined || real === undefined || !isInside(real)) {
    throw new Error('cwd must be the whole path of a folder in the workspace');
  }
  return { name: path.basename(folder), path: folder };
}

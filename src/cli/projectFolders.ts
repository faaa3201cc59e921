import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';

/**
 * Under which folders the CLI keeps what belongs to the project of a working folder: the root of its
 * repository first, which of a worktree is that of the checkout that it belongs to; at last the
 * folder itself. Links are resolved. Fact, seen with `claude mcp add` of 2.1.332.
 */
export function projectFolders(cwd: string): readonly string[] {
  let real = cwd;
  try {
    real = realpathSync(cwd);
  } catch {
    return [cwd];
  }
  for (let root = real; ; root = path.dirname(root)) {
    if (existsSync(path.join(root, '.git'))) {
      const main = checkoutOf(root);
      // Older versions kept it under the worktree itself.
      return [...new Set([...(main === undefined ? [] : [main]), root, real])];
    }
    if (root === path.dirname(root)) return [real];
  }
}

/** Of `projects` in the CLI's configuration, what it has of the first of these folders that it knows. */
export function projectEntry(
  projects: unknown,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Record<string, unknown> | undefined {
  if (!isJsonObject(projects)) return undefined;
  for (const folder of folders) {
    const key = keyOf(projects, folder, platform);
    const entry = key === undefined ? undefined : projects[key];
    if (isJsonObject(entry)) return entry;
  }
  return undefined;
}

/** By the CLI's code, which could not be run there: on Windows it writes `C:/a/b`. */
function keyOf(projects: object, folder: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return Object.hasOwn(projects, folder) ? folder : undefined;
  const wanted = comparable(folder);
  return Object.keys(projects).find((key) => comparable(key) === wanted);
}

function comparable(folder: string): string {
  return folder.replaceAll('\\', '/').toLowerCase();
}

/**
 * Of the root of a worktree the checkout that it belongs to, or the folder of its repository where
 * that has none. Undefined for what is no worktree, such as a submodule, or only says that it is one.
 */
function checkoutOf(root: string): string | undefined {
  try {
    const link = path.join(root, '.git');
    const own = /^gitdir: (.+)/.exec(readFileSync(link, 'utf8'))?.[1]?.trimEnd();
    if (own === undefined) return undefined;
    const home = path.resolve(root, own);
    const named = (file: string): string =>
      path.resolve(home, readFileSync(path.join(home, file), 'utf8').trimEnd());
    const common = realpathSync(named('commondir'));
    const isListed = realpathSync(path.dirname(home)) === path.join(common, 'worktrees');
    if (!isListed || realpathSync(named('gitdir')) !== realpathSync(link)) return undefined;
    return path.basename(common) === '.git' ? path.dirname(common) : common;
  } catch {
    // Of an ordinary checkout it is a folder, and of a submodule there is no such file.
    return undefined;
  }
}

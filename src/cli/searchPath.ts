import { pathsOf } from './cliDisk';

/** The variable that lists the folders of programs; on Windows it goes by any case, mostly `Path`. */

type Environment = Readonly<Record<string, string | undefined>>;

/** The absolute folders of the variable, in order. A relative one would run what lies in the working folder. */
export function searchFolders(env: Environment, platform: NodeJS.Platform): string[] {
  return splitSearchPath(env[nameIn(env, platform)] ?? '', platform);
}

export function splitSearchPath(value: string, platform: NodeJS.Platform): string[] {
  const paths = pathsOf(platform);
  return value
    .split(paths.delimiter)
    .map((folder) => (platform === 'win32' ? folder.replaceAll('"', '') : folder))
    .filter((folder) => paths.isAbsolute(folder));
}

/** All folders of all lists, each once, in the order in which they first stand. */
export function joinFolders(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

/** A copy of the environment with these folders as its variable. */
export function withSearchFolders(
  env: Readonly<Record<string, string>>,
  folders: readonly string[],
  platform: NodeJS.Platform,
): Record<string, string> {
  return { ...env, [nameIn(env, platform)]: folders.join(pathsOf(platform).delimiter) };
}

/** Whether the environment names the variable at all. */
export function setsSearchPath(env: Environment, platform: NodeJS.Platform): boolean {
  return env[nameIn(env, platform)] !== undefined;
}

function nameIn(env: Environment, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return 'PATH';
  return Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'Path';
}

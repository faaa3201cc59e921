import { pathsOf, type CliDisk } from './cliDisk';
import { compareVersions, parseVersion } from './cliVersion';

/** A folder in which an installer or a version manager puts programs. */
export interface KnownFolder {
  /** Who puts them there, for the log and for the list of what was tried. Not localized. */
  readonly owner: string;
  readonly folder: string;
}

export interface KnownFoldersOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: CliDisk;
}

/**
 * Where the CLI may lie although no PATH says so: an editor that was started from a dock or a menu
 * has a bare one. In the order in which they are tried; newest version first where there are many.
 */
export function knownFolders(options: KnownFoldersOptions): KnownFolder[] {
  const all = options.platform === 'win32' ? windowsFolders(options) : unixFolders(options);
  const paths = pathsOf(options.platform);
  const seen = new Set<string>();
  return all.filter(({ folder }) => {
    if (!paths.isAbsolute(folder) || seen.has(folder)) return false;
    seen.add(folder);
    return true;
  });
}

function unixFolders(options: KnownFoldersOptions): KnownFolder[] {
  const { platform, home, env, disk } = options;
  const join = joinOf(platform);
  const data = env.XDG_DATA_HOME ?? join(home, '.local/share');
  const from = (owner: string, ...folders: (string | undefined)[]): KnownFolder[] =>
    folders.flatMap((folder) => (folder === undefined ? [] : [{ owner, folder }]));
  const versions = (owner: string, root: string, tail: string): KnownFolder[] =>
    newestFirst(disk.list(root)).map((name) => ({ owner, folder: join(root, name, tail) }));
  const fnmRoots = [
    env.FNM_DIR,
    join(data, 'fnm'),
    platform === 'darwin' ? join(home, 'Library/Application Support/fnm') : undefined,
    join(home, '.fnm'),
  ].filter((root) => root !== undefined);
  const prefix = npmPrefix(options);
  return [
    ...from('native installer', join(home, '.local/bin'), join(home, '.claude/local')),
    ...from('native installer', join(home, '.claude/local/node_modules/.bin')),
    ...from('npm', prefix && join(prefix, 'bin'), join(home, '.npm-global/bin')),
    ...versions('nvm', join(env.NVM_DIR ?? join(home, '.nvm'), 'versions/node'), 'bin'),
    ...fnmRoots.flatMap((root) => from('fnm', join(root, 'aliases/default/bin'))),
    ...fnmRoots.flatMap((root) => versions('fnm', join(root, 'node-versions'), 'installation/bin')),
    ...from('volta', join(env.VOLTA_HOME ?? join(home, '.volta'), 'bin')),
    ...from('asdf', join(env.ASDF_DATA_DIR ?? join(home, '.asdf'), 'shims')),
    ...from('homebrew', platform === 'darwin' ? '/opt/homebrew/bin' : undefined),
    ...from('homebrew or npm', '/usr/local/bin'),
    ...from('homebrew', platform === 'linux' ? '/home/linuxbrew/.linuxbrew/bin' : undefined),
    ...from('homebrew', platform === 'linux' ? join(home, '.linuxbrew/bin') : undefined),
  ];
}

function windowsFolders(options: KnownFoldersOptions): KnownFolder[] {
  const { home, env, disk } = options;
  const join = joinOf('win32');
  const roaming = env.APPDATA ?? join(home, 'AppData', 'Roaming');
  const local = env.LOCALAPPDATA ?? join(home, 'AppData', 'Local');
  const versions = (owner: string, root: string, tail: string): KnownFolder[] =>
    newestFirst(disk.list(root)).map((name) => ({ owner, folder: join(root, name, tail) }));
  const prefix = npmPrefix(options);
  const fnm = env.FNM_DIR ?? join(roaming, 'fnm');
  return [
    { owner: 'native installer', folder: join(home, '.local', 'bin') },
    { owner: 'native installer', folder: join(home, '.claude', 'local') },
    { owner: 'native installer', folder: join(home, '.claude', 'local', 'node_modules', '.bin') },
    ...(prefix === undefined ? [] : [{ owner: 'npm', folder: prefix }]),
    { owner: 'npm', folder: join(roaming, 'npm') },
    ...(env.NVM_SYMLINK === undefined ? [] : [{ owner: 'nvm', folder: env.NVM_SYMLINK }]),
    ...versions('nvm', env.NVM_HOME ?? join(roaming, 'nvm'), ''),
    { owner: 'fnm', folder: join(fnm, 'aliases', 'default') },
    ...versions('fnm', join(fnm, 'node-versions'), 'installation'),
    {
      owner: 'volta',
      folder: env.VOLTA_HOME ? join(env.VOLTA_HOME, 'bin') : join(local, 'Volta', 'bin'),
    },
    { owner: 'Node.js', folder: join(env.ProgramFiles ?? 'C:\\Program Files', 'nodejs') },
  ];
}

function joinOf(platform: NodeJS.Platform): (...parts: string[]) => string {
  const paths = pathsOf(platform);
  return (...parts) => paths.join(...parts);
}

/** npm's own prefix, by its variable or by the person's `.npmrc`. */
function npmPrefix({ platform, home, env, disk }: KnownFoldersOptions): string | undefined {
  const join = joinOf(platform);
  const named = env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX;
  if (named !== undefined && named !== '') return named;
  const line = /^\s*prefix\s*=\s*(.+?)\s*$/m.exec(disk.read(join(home, '.npmrc')))?.[1];
  if (line === undefined) return undefined;
  const bare = line.replace(/^(["'])(.*)\1$/, '$2');
  return bare.replace(/^~(?=[\\/]|$)|^\$\{(?:HOME|USERPROFILE)\}/, () => home);
}

/** The names that are versions, such as `v22.3.0`. */
function newestFirst(names: readonly string[]): string[] {
  return names
    .flatMap((name) => {
      const version = parseVersion(name.replace(/^v/, ''));
      return version === undefined ? [] : [{ name, version }];
    })
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ name }) => name);
}

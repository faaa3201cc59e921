import * as l10n from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { UserFacingError } from '../base/errors';
import { pathsOf, realDisk, type CliDisk } from './cliDisk';
import { knownFolders } from './knownFolders';
import { resolveProgram, type Program, type ProgramContext } from './resolveProgram';
import { joinFolders, searchFolders, splitSearchPath } from './searchPath';
import { cliNotExecutable, cliNotFound } from './spawnFailure';

export interface LocateCliOptions {
  /** The setting `patchbay.cli.path`; empty or absent means search. `~` is the home folder. */
  readonly configured?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** A `node_modules` folder with the CLI's platform packages, when run from the repository. */
  readonly bundledIn?: string | undefined;
  /** The PATH of the login shell; asked only when what is asked before it did not help. */
  readonly loginPath?: () => Promise<string | undefined>;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly disk?: CliDisk;
}

export type CliSource = 'setting' | 'path' | 'login shell' | 'known folder' | 'bundled';

export interface LocatedCli {
  /** Absolute, as found; links are kept, so that an update behind one is seen. */
  readonly path: string;
  /** What is started: the CLI itself, or the Node that runs it. Absolute. */
  readonly command: string;
  /** Stands before the CLI's own arguments: its script, where a Node runs it. */
  readonly args: readonly string[];
  readonly source: CliSource;
  /** For the log: what was chosen, why, and what was passed over. Not localized. */
  readonly why: string;
  /** All places that were looked at, in order, the chosen one included. Not localized. */
  readonly tried: readonly string[];
  /** The folders that the CLI needs on its PATH; undefined: those that it has. */
  readonly searchFolders: readonly string[] | undefined;
}

interface Place {
  readonly source: CliSource;
  readonly folder: string;
  /** Names the place more closely than its source does. */
  readonly owner: string;
}

/**
 * Finds the CLI: the setting, else the PATH, the login shell's PATH, the folders of installers and
 * version managers, else the bundled one. A setting that is wrong is an error and never passed over,
 * or a person would not learn that another CLI runs.
 * Rejects with `UserFacingError`: not found, not executable and missing interpreter differ; the
 * places that were tried stand in its details.
 */
export async function locateCli(options: LocateCliOptions): Promise<LocatedCli> {
  const search = new Search(options);
  const configured = options.configured?.trim() ?? '';
  return configured === '' ? search.everywhere() : search.named(configured);
}

class Search {
  readonly #options: LocateCliOptions;
  readonly #platform: NodeJS.Platform;
  readonly #disk: CliDisk;
  readonly #tried: string[] = [];
  readonly #onPath: readonly string[];
  #login: Promise<readonly string[]> | undefined;

  constructor(options: LocateCliOptions) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
    this.#disk = options.disk ?? realDisk;
    this.#onPath = searchFolders(options.env, this.#platform);
  }

  async named(configured: string): Promise<LocatedCli> {
    const file = expandHome(configured, this.#options.home, this.#platform);
    if (!pathsOf(this.#platform).isAbsolute(file)) throw notAbsolute(file);
    if (!this.#disk.isFile(file))
      throw existsSync(file) ? cliNotExecutable(file) : cliNotFound(file);
    const program = await resolveProgram(file, this.#context());
    if (!program.ok) throw program.error;
    this.#tried.push(`setting: ${file}: chosen`);
    const why = `${file}, named by patchbay.cli.path`;
    return this.#located({ source: 'setting', folder: '', owner: 'setting' }, file, program, why);
  }

  async everywhere(): Promise<LocatedCli> {
    const passedOver: string[] = [];
    let firstError: UserFacingError | undefined;
    for await (const place of this.#places()) {
      const file = this.#fileIn(place.folder);
      if (file === undefined) {
        this.#tried.push(`${place.owner}: ${place.folder}: not there`);
        continue;
      }
      const program = await resolveProgram(file, this.#context());
      if (program.ok) {
        this.#tried.push(`${place.owner}: ${file}: chosen`);
        const notes = passedOver.length > 0 ? `; passed over ${passedOver.join(', ')}` : '';
        const owner = place.source === 'known folder' ? ` (${place.owner})` : '';
        const why = `${file}, found by ${place.source}${owner}${notes}`;
        return this.#located(place, file, program, why);
      }
      firstError ??= program.error;
      passedOver.push(`${file} (${program.error.message})`);
      this.#tried.push(`${place.owner}: ${file}: ${program.error.message}`);
    }
    throw withTried(firstError ?? nowhere(), this.#tried);
  }

  async *#places(): AsyncGenerator<Place> {
    const seen = new Set<string>();
    const fresh = (places: readonly Place[]): Place[] =>
      places.filter(({ folder }) => !seen.has(folder) && seen.add(folder));
    const of = (source: CliSource, owner: string, folders: readonly string[]): Place[] =>
      fresh(folders.map((folder) => ({ source, owner, folder })));
    yield* of('path', 'PATH', this.#onPath);
    const login = await this.#loginFolders();
    if (login.length === 0) this.#tried.push('login shell: it told no PATH, or was not asked');
    yield* of('login shell', 'login shell', login);
    yield* fresh(this.#known().map((known) => ({ source: 'known folder', ...known })));
    const { bundledIn } = this.#options;
    if (bundledIn === undefined) return;
    const arch = this.#options.arch ?? process.arch;
    const name = `@anthropic-ai/claude-agent-sdk-${this.#platform}-${arch}`;
    yield* of('bundled', 'bundled', [pathsOf(this.#platform).join(bundledIn, name)]);
  }

  #fileIn(folder: string): string | undefined {
    // Of npm's shims the batch file comes first, since its text is the plainest.
    const names =
      this.#platform === 'win32'
        ? ['claude.exe', 'claude.cmd', 'claude.ps1', 'claude']
        : ['claude'];
    return names
      .map((name) => pathsOf(this.#platform).join(folder, name))
      .find((file) => this.#disk.isFile(file));
  }

  #context(): ProgramContext {
    return {
      platform: this.#platform,
      disk: this.#disk,
      onPath: this.#onPath,
      elsewhere: async () => [
        ...(await this.#loginFolders()),
        ...this.#known().map(({ folder }) => folder),
      ],
    };
  }

  #known() {
    const { home, env } = this.#options;
    return knownFolders({ platform: this.#platform, home, env, disk: this.#disk });
  }

  #loginFolders(): Promise<readonly string[]> {
    return (this.#login ??= (this.#options.loginPath?.() ?? Promise.resolve(undefined)).then(
      (value) => splitSearchPath(value ?? '', this.#platform),
    ));
  }

  async #located(place: Place, file: string, program: Program, why: string): Promise<LocatedCli> {
    const login = this.#login === undefined ? [] : await this.#login;
    // The Node beside a CLI is the one that it was installed with: it comes before an older one.
    const node = pathsOf(this.#platform).join(place.folder, 'node');
    const own = place.source === 'known folder' && this.#disk.isFile(node) ? [place.folder] : [];
    const folders = joinFolders(own, login, this.#onPath, program.neededFolders);
    const isSame = folders.length === new Set(this.#onPath).size;
    return {
      path: file,
      command: program.command,
      args: program.args,
      source: place.source,
      why,
      tried: this.#tried,
      searchFolders: isSame ? undefined : folders,
    };
  }
}

function expandHome(file: string, home: string, platform: NodeJS.Platform): string {
  const isHome = file === '~' || file.startsWith('~/') || file.startsWith('~\\');
  return isHome ? pathsOf(platform).join(home, file.slice(1)) : file;
}

function withTried(error: UserFacingError, tried: readonly string[]): UserFacingError {
  return new UserFacingError(error.message, {
    ...(error.kept === undefined ? {} : { kept: error.kept }),
    ...(error.next === undefined ? {} : { next: error.next }),
    details: l10n.t('Looked at, in this order:\n{0}', tried.join('\n')),
    remedies: error.remedies,
    cause: error.cause,
  });
}

function notAbsolute(file: string): UserFacingError {
  return new UserFacingError(
    l10n.t('The setting patchbay.cli.path holds {0}, which is not an absolute path.', file),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Write the whole path, starting at the root or with ~.'),
    },
  );
}

function nowhere(): UserFacingError {
  return new UserFacingError(l10n.t('The claude CLI was not found on the PATH.'), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Install the CLI, or name its file in the setting patchbay.cli.path.'),
    remedies: ['openSettings', 'doctor'],
  });
}

import * as l10n from '@vscode/l10n';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserFacingError } from '../base/errors';
import {
  cliNotExecutable,
  cliNotFound,
  findMissingInterpreter,
  missingInterpreter,
} from './spawnFailure';

export interface LocateCliOptions {
  /** The setting `patchbay.cli.path`; empty or absent means search. `~` is the home folder. */
  readonly configured?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** A `node_modules` folder with the CLI's platform packages, when run from the repository. */
  readonly bundledIn?: string | undefined;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
}

export interface LocatedCli {
  /** Absolute, as found; links are kept, so that an update behind one is seen. */
  readonly path: string;
  readonly source: 'setting' | 'path' | 'bundled';
  /** For the log: what was chosen, why, and what was passed over. Not localized. */
  readonly why: string;
}

type Verdict = { readonly ok: true } | { readonly ok: false; readonly error: UserFacingError };

/**
 * Finds the CLI: the setting, else the PATH, else the bundled one. A setting that is wrong is an
 * error and never passed over, or a person would not learn that another CLI runs.
 * Throws `UserFacingError`: not found, not executable and missing interpreter differ.
 */
export function locateCli(options: LocateCliOptions): LocatedCli {
  const configured = options.configured?.trim() ?? '';
  if (configured !== '') return fromSetting(expandHome(configured, options.home), options);
  const passedOver: string[] = [];
  let firstError: UserFacingError | undefined;
  for (const candidate of candidates(options)) {
    if (!isFile(candidate.path)) continue;
    const verdict = examine(candidate.path, options.env.PATH ?? '');
    if (verdict.ok) {
      const notes = passedOver.length > 0 ? `; passed over ${passedOver.join(', ')}` : '';
      return { ...candidate, why: `${candidate.path}, found by ${candidate.source}${notes}` };
    }
    firstError ??= verdict.error;
    passedOver.push(`${candidate.path} (${verdict.error.message})`);
  }
  throw firstError ?? nowhere();
}

function fromSetting(file: string, options: LocateCliOptions): LocatedCli {
  if (!path.isAbsolute(file)) throw notAbsolute(file);
  if (!isFile(file)) {
    throw statSync(file, { throwIfNoEntry: false }) === undefined
      ? cliNotFound(file)
      : cliNotExecutable(file);
  }
  const verdict = examine(file, options.env.PATH ?? '');
  if (!verdict.ok) throw verdict.error;
  return { path: file, source: 'setting', why: `${file}, named by patchbay.cli.path` };
}

function* candidates(
  options: LocateCliOptions,
): Generator<{ path: string; source: 'path' | 'bundled' }> {
  const platform = options.platform ?? process.platform;
  // A `.cmd` shim cannot be spawned without a shell, so it is not looked for.
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  for (const folder of (options.env.PATH ?? '').split(path.delimiter)) {
    // A relative entry would run what lies in the working folder.
    if (path.isAbsolute(folder)) yield { path: path.join(folder, name), source: 'path' };
  }
  if (options.bundledIn !== undefined) {
    const arch = options.arch ?? process.arch;
    const folder = `@anthropic-ai/claude-agent-sdk-${platform}-${arch}`;
    yield { path: path.join(options.bundledIn, folder, name), source: 'bundled' };
  }
}

function examine(file: string, searchPath: string): Verdict {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return { ok: false, error: cliNotExecutable(file) };
  }
  const interpreter = findMissingInterpreter(file, searchPath);
  return interpreter === undefined
    ? { ok: true }
    : { ok: false, error: missingInterpreter(file, interpreter) };
}

function isFile(file: string): boolean {
  try {
    return statSync(realpathSync(file)).isFile();
  } catch {
    return false;
  }
}

function expandHome(file: string, home: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
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
  });
}

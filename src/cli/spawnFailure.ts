import * as l10n from '@vscode/l10n';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserFacingError } from '../base/errors';
import { realDisk, type CliDisk } from './cliDisk';

/**
 * Why a program could not be started. Node says ENOENT for a missing program, a missing script
 * interpreter and a missing working folder alike, and names the program each time.
 */

/** True for an existing folder. */
export function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function folderIsGone(cwd: string): UserFacingError {
  return new UserFacingError(l10n.t('The working folder {0} does not exist.', cwd), {
    kept: l10n.t('Your text and the conversation are kept.'),
    next: l10n.t('Put it back, or open an existing folder; then press Retry.'),
    remedies: ['openFolder'],
  });
}

export function cliNotFound(file: string): UserFacingError {
  return new UserFacingError(l10n.t('The CLI was not found at {0}.', file), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Correct the setting patchbay.cli.path, or clear it to search again.'),
    remedies: ['openSettings', 'doctor'],
  });
}

export function cliNotExecutable(file: string): UserFacingError {
  return new UserFacingError(l10n.t('{0} is not an executable file.', file), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Make the file executable, or name another one in the setting patchbay.cli.path.'),
  });
}

export function missingInterpreter(file: string, interpreter: string): UserFacingError {
  return new UserFacingError(
    l10n.t('{0} cannot start because {1}, which runs it, was not found.', file, interpreter),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Install {0}, or put its folder on the PATH that the editor sees.', interpreter),
      remedies: ['doctor', 'openSettings'],
    },
  );
}

/** Turns what `spawn` reported into words. Takes a fresh look at the disk, since the code alone does not tell. */
export function describeSpawnFailure(
  error: unknown,
  command: string,
  cwd: string,
  searchPath: string,
): UserFacingError {
  if (!isFolder(cwd)) return folderIsGone(cwd);
  if (!existsSync(command)) return cliNotFound(command);
  const interpreter = findMissingInterpreter(command, searchPath);
  if (interpreter !== undefined) return missingInterpreter(command, interpreter);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'ENOEXEC' || code === 'EPERM') {
    return cliNotExecutable(command);
  }
  return new UserFacingError(l10n.t('The CLI at {0} could not be started.', command), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Open the log for the reason, then try again.'),
    remedies: ['doctor'],
    details: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

/** The names of variables that no process can be given. */
export function invalidVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => `${name}${value}`.includes('\0') || name === '')
    .map(([name]) => name);
}

/** Node's own error for it holds the value, which may be a secret. */
export function variablesInvalid(names: readonly string[]): UserFacingError {
  const shown = names.map((name) => JSON.stringify(name)).join(', ');
  return new UserFacingError(
    l10n.t('The CLI cannot be given these environment variables: {0}.', shown),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Take the NUL character out of them; look at patchbay.cli.environment first.'),
    },
  );
}

/**
 * What was handed to the system, for the log: an EINVAL names none of it. Sizes, and names of
 * variables that no process can be given; never their values. Not localized.
 */
export function describeSpawnInput(input: {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): string {
  const entries = Object.entries(input.env);
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length + 2, 0);
  const invalid = invalidVariables(input.env).map((name) => JSON.stringify(name));
  const length = input.args.reduce((sum, arg) => sum + arg.length + 1, 0);
  const bad = input.args.flatMap((arg, index) => (arg.includes('\0') ? [index] : []));
  return [
    `file ${JSON.stringify(input.command)}`,
    `${input.args.length} arguments of ${length} characters`,
    `folder ${JSON.stringify(input.cwd)}`,
    `${entries.length} variables of ${size} characters`,
    ...(invalid.length > 0 ? [`invalid variables ${invalid.join(', ')}`] : []),
    ...(bad.length > 0 ? [`a NUL character in arguments ${bad.join(', ')}`] : []),
  ].join(', ');
}

/** The program named in a script's first line, if it is not there; undefined when all is well. */
export function findMissingInterpreter(
  file: string,
  searchPath: string,
  disk: CliDisk = realDisk,
): string | undefined {
  const line = disk.read(file).split('\n', 1)[0]?.trimEnd() ?? '';
  if (!line.startsWith('#!')) return undefined;
  const words = line.slice(2).trim().split(/\s+/);
  const program = words[0] ?? '';
  if (!disk.isFile(program)) return program;
  if (path.basename(program) !== 'env') return undefined;
  const named = words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='));
  if (named === undefined) return undefined;
  if (path.isAbsolute(named)) return disk.isFile(named) ? undefined : named;
  const found = searchPath
    .split(path.delimiter)
    .some((folder) => folder !== '' && disk.isFile(path.join(folder, named)));
  return found ? undefined : named;
}

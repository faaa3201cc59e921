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
  try {
    return statSync(folder).isDirectory();
  } catch {
    // Not there, not to be looked into, or no name at all, such as one with a NUL character.
    return false;
  }
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
  const known = describeCode(code, command);
  if (known !== undefined) return known;
  return new UserFacingError(l10n.t('The CLI at {0} could not be started.', command), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Open the log for the reason, then try again.'),
    remedies: ['doctor'],
    details: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

/** What the system's own word for a failure means to a person; undefined for the rare ones. */
function describeCode(code: string, command: string): UserFacingError | undefined {
  const kept = l10n.t('Your text is kept.');
  switch (code) {
    case 'EACCES':
    case 'ENOEXEC':
    case 'EPERM':
      return cliNotExecutable(command);
    case 'ETXTBSY':
      return new UserFacingError(l10n.t('{0} is being written at this moment.', command), {
        kept,
        next: l10n.t('Wait until its update is done, then press Retry.'),
      });
    case 'E2BIG':
      return new UserFacingError(
        l10n.t('The CLI cannot be given so many arguments or variables, or one that long.'),
        {
          kept,
          next: l10n.t('Shorten patchbay.cli.arguments and patchbay.cli.environment.'),
          remedies: ['openSettings'],
        },
      );
    case 'EMFILE':
    case 'ENFILE':
    case 'EAGAIN':
    case 'ENOMEM':
      return new UserFacingError(
        l10n.t('The system has no process, memory or open file left to give ({0}).', code),
        { kept, next: l10n.t('End something else that runs, then press Retry.') },
      );
    default:
      return undefined;
  }
}

export function cliDamaged(file: string): UserFacingError {
  return new UserFacingError(l10n.t('{0} is empty or damaged; it is no program.', file), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Install the CLI again, or name another file in the setting patchbay.cli.path.'),
    remedies: ['doctor', 'openSettings'],
  });
}

/** For example the CLI of another machine in a home folder that both share. */
export function cliForOtherProcessor(file: string, processor: string): UserFacingError {
  return new UserFacingError(
    l10n.t(
      '{0} is a program for {1} processors; this machine has {2}.',
      file,
      processor,
      process.arch,
    ),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t(
        'Install the CLI for this machine, or name another file in the setting patchbay.cli.path.',
      ),
      remedies: ['doctor', 'openSettings'],
    },
  );
}

/** Node's own error for it holds the value, which may be a secret. */
export function argumentInvalid(index: number): UserFacingError {
  return new UserFacingError(
    l10n.t('Argument {0} for the CLI holds a NUL character.', String(index + 1)),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Take it out of the setting patchbay.cli.arguments.'),
      remedies: ['openSettings'],
    },
  );
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
  // Not trimmed: with Windows' line ends the system looks for a program whose name ends in a return.
  const line = disk.read(file).split('\n', 1)[0] ?? '';
  if (!line.startsWith('#!')) return undefined;
  const words = line
    .slice(2)
    .split(/[ \t]+/)
    .filter((word) => word !== '');
  const program = words[0] ?? '';
  // Without a name the shell runs it.
  if (program === '') return undefined;
  if (words.length === 1 && program.endsWith('\r')) return program.replace('\r', '\\r');
  if (!disk.isFile(program)) return program;
  if (path.basename(program) !== 'env') return undefined;
  const named = words
    .slice(1)
    .map((word) => word.replace('\r', '\\r'))
    .find((word) => !word.startsWith('-') && !word.includes('='));
  if (named === undefined) return undefined;
  if (path.isAbsolute(named)) return disk.isFile(named) ? undefined : named;
  const found = searchPath
    .split(path.delimiter)
    .some((folder) => folder !== '' && disk.isFile(path.join(folder, named)));
  return found ? undefined : named;
}

import * as l10n from '@vscode/l10n';
import os from 'node:os';
import path from 'node:path';
import { UserFacingError } from '../base/errors';
import type { CliCommand } from './askCli';
import { realDisk } from './cliDisk';
import { childEnvironment } from './environment';
import { locateCli, type CliSource } from './locateCli';
import { loginShellPath } from './loginShellPath';
import { proxyVariables, type ProxySettings } from './proxyEnvironment';
import { searchFolders, setsSearchPath, withSearchFolders } from './searchPath';

/** What the person's settings say about the CLI. */
export interface CliSettings {
  /** `patchbay.cli.path`; empty for "find it". */
  readonly cliPath: string;
  /** `patchbay.cli.environment`: added to the CLI's environment last. */
  readonly cliEnvironment: Readonly<Record<string, string>>;
  /** `patchbay.cli.wrapper`: a program and its arguments, put before the CLI; empty for none. */
  readonly cliWrapper: readonly string[];
  /** The editor's own proxy. */
  readonly proxy: ProxySettings;
  /** Settings of the start that have a value of a wrong type, by their keys; none where absent. */
  readonly unreadable?: readonly string[];
  /** Variables of `cliEnvironment` that were left out, since their values are no texts. */
  readonly variablesLeftOut?: readonly string[];
}

export interface PrepareCliOptions {
  readonly settings: CliSettings;
  /** The environment of this process. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** The checkout that holds the development CLI, when run from the repository. */
  readonly developmentRoot: string | undefined;
}

/** A CLI that can be started. */
export interface PreparedCli extends CliCommand {
  readonly source: CliSource | 'wrapper';
  /** The whole environment of the CLI. */
  readonly env: Readonly<Record<string, string>>;
  /** For the log: what was chosen and why. Not localized. */
  readonly why: string;
  /** For the log and the doctor: each place looked at. Not localized. */
  readonly tried: readonly string[];
}

/** The environment of the CLI as the settings make it, before its PATH is completed. */
export function cliEnvironment(options: PrepareCliOptions): Record<string, string> {
  const { settings, hostEnvironment } = options;
  const proxy = proxyVariables(settings.proxy, hostEnvironment);
  return childEnvironment({
    inherited: { ...hostEnvironment, ...proxy },
    own: settings.cliEnvironment,
  });
}

/** Finds the CLI and all that its start needs. Rejects with a `UserFacingError`, see `locateCli`. */
export async function prepareCli(options: PrepareCliOptions): Promise<PreparedCli> {
  const { settings, developmentRoot } = options;
  const [unreadable] = settings.unreadable ?? [];
  if (unreadable !== undefined) throw settingUnreadable(unreadable);
  const env = cliEnvironment(options);
  const wrapper = settings.cliWrapper.filter((word) => word !== '');
  if (wrapper.length > 0) return wrapped(wrapper, settings.cliPath.trim(), env);
  // A PATH that the person wrote into the setting is meant as it stands.
  const ownPath = setsSearchPath(settings.cliEnvironment, process.platform);
  const shellNotes: string[] = [];
  const cli = await locateCli({
    configured: settings.cliPath,
    env,
    home: homeOf(env),
    bundledIn: developmentRoot && path.join(developmentRoot, 'node_modules'),
    ...(ownPath
      ? {}
      : {
          loginPath: async () => {
            const answer = await loginShellPath({ env });
            shellNotes.push(`login shell ${answer.shell ?? ''}: ${answer.note}`);
            return answer.path;
          },
        }),
  });
  return {
    command: cli.command,
    args: cli.args,
    file: cli.path,
    source: cli.source,
    env: cli.searchFolders ? withSearchFolders(env, cli.searchFolders, process.platform) : env,
    why: cli.why,
    tried: [...shellNotes, ...cli.tried],
  };
}

/**
 * Behind a wrapper the CLI may lie on another machine: its path is taken as it stands, and without
 * one the wrapper finds `claude` itself.
 */
function wrapped(
  wrapper: readonly string[],
  cliPath: string,
  env: Readonly<Record<string, string>>,
): PreparedCli {
  const [program = '', ...rest] = wrapper;
  const command = path.isAbsolute(program) ? program : onPath(program, env);
  if (command === undefined || !realDisk.isFile(command)) throw wrapperNotFound(program);
  const cli = cliPath === '' ? 'claude' : cliPath;
  const why = `${cli} behind ${command}, named by patchbay.cli.wrapper`;
  return {
    command,
    args: [...rest, cli],
    file: path.isAbsolute(cli) && realDisk.isFile(cli) ? cli : undefined,
    source: 'wrapper',
    env,
    why,
    tried: [`wrapper: ${command}: chosen`],
  };
}

function onPath(program: string, env: Readonly<Record<string, string>>): string | undefined {
  // A relative path would run what lies in the working folder.
  if (program !== path.basename(program)) return undefined;
  const names = process.platform === 'win32' ? [`${program}.exe`, program] : [program];
  return searchFolders(env, process.platform)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => realDisk.isFile(file) && realDisk.isExecutable(file));
}

/** As the CLI finds it. Fact: on Windows a program looks at `USERPROFILE`; a shell may set `HOME` otherwise. */
export function homeOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named === undefined || named === '' ? os.homedir() : named;
}

/** Passed over, it would start another program than is meant, or the same one outside of its container. */
function settingUnreadable(key: string): UserFacingError {
  return new UserFacingError(
    l10n.t('The setting {0} has a value of a wrong type, so no CLI is started.', key),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Correct the setting, then press Retry.'),
      remedies: ['openSettings', 'doctor'],
    },
  );
}

function wrapperNotFound(program: string): UserFacingError {
  return new UserFacingError(
    l10n.t('{0}, the program of the setting patchbay.cli.wrapper, was not found.', program),
    {
      kept: l10n.t('Your text is kept.'),
      next: l10n.t('Write its whole path into the setting, or clear the setting.'),
    },
  );
}

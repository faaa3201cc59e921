import { UserFacingError } from '../base/errors';
import { askCli } from '../cli/askCli';
import { askLogin } from '../cli/askLogin';
import { realDisk } from '../cli/cliDisk';
import { configProblems } from '../cli/configHealth';
import { cliVersion } from '../cli/cliVersion';
import { describeDropped, isOptionalFlag, unknownFlags } from '../cli/launchFlags';
import { configuredHooks, type ConfiguredHook } from '../cli/configuredHooks';
import { loginShellPath } from '../cli/loginShellPath';
import { secretValues } from '../base/maskSecrets';
import {
  cliEnvironment,
  homeOf,
  prepareCli,
  type PrepareCliOptions,
  type PreparedCli,
} from '../cli/prepareCli';

/** What was found out about the CLI and its surroundings. Holds no value of a variable. */
export interface CliFacts {
  readonly cli:
    | { readonly found: true; readonly why: string; readonly tried: readonly string[] }
    | {
        readonly found: false;
        /** Localized, as the person would see them in the panel. */
        readonly message: string;
        readonly next: string | undefined;
        readonly details: string | undefined;
      };
  readonly version: string | undefined;
  /** Optional flags that this CLI does not take; empty for none. Not localized. */
  readonly droppedFlags: string;
  /** `notAsked`: there is no CLI, or it has no such command. */
  readonly login: 'yes' | 'no' | 'unknown' | 'notAsked';
  /** Names of the variables that steer the network and the account, in the CLI's environment. */
  readonly variables: readonly string[];
  readonly networkProblems: readonly NetworkProblem[];
  /** Faults of the CLI's own files that it passes over in silence; localized. */
  readonly configProblems: readonly string[];
  /** What the CLI's settings have it run at events. */
  readonly hooks: readonly ConfiguredHook[];
  readonly shell: {
    readonly name: string | undefined;
    readonly note: string;
    readonly told: boolean;
  };
  /** What `git --version` says; undefined without git. */
  readonly git: string | undefined;
  /** To be hidden wherever they stand: values of variables, and the home folder. */
  readonly secrets: readonly string[];
  readonly home: string;
}

export type NetworkProblem = 'certificatesMissing' | 'certificatesUnchecked';

const STEERING =
  /^(?:https?_proxy|all_proxy|no_proxy|node_extra_ca_certs|node_tls_reject_unauthorized|ssl_cert_(?:file|dir)|anthropic_\w+|claude_code_(?:use_\w+|oauth_token|max_retries)|claude_config_dir)$/i;

/** Asks the CLI, the shell and git. Never rejects; takes as long as the slowest, some seconds at most. */
export async function gatherCliFacts(
  options: PrepareCliOptions & { readonly cwd: string | undefined },
): Promise<CliFacts> {
  const env = cliEnvironment(options);
  const prepared = await prepareCli(options).catch((error: unknown) => error);
  const { platform } = process;
  const [ofCli, hooks, shell, git] = await Promise.all([
    isPrepared(prepared) ? askAll(prepared) : nothingAsked,
    configuredHooks({ env, home: homeOf(env), folder: options.cwd, platform }),
    loginShellPath({ env }),
    askCli({ command: 'git', args: [], file: undefined }, ['--version'], env),
  ]);
  return {
    ...ofCli,
    cli: isPrepared(prepared)
      ? { found: true, why: prepared.why, tried: prepared.tried }
      : notFound(prepared),
    variables: Object.keys(env)
      .filter((name) => STEERING.test(name) && env[name] !== '')
      .sort(),
    networkProblems: networkProblems(env),
    configProblems: configProblems({ env, home: homeOf(env), cwd: options.cwd }),
    hooks,
    shell: { name: shell.shell, note: shell.note, told: shell.path !== undefined },
    git: git.code === 0 ? git.stdout.trim() : undefined,
    secrets: secretValues(env),
    home: homeOf(env),
  };
}

const nothingAsked = { version: undefined, droppedFlags: '', login: 'notAsked' } as const;

async function askAll(
  cli: PreparedCli,
): Promise<Pick<CliFacts, 'version' | 'droppedFlags' | 'login'>> {
  const version = await cliVersion(cli, cli.env);
  const unknown = await unknownFlags(cli, version, cli.env);
  return {
    version,
    droppedFlags: describeDropped([...unknown].filter(isOptionalFlag)),
    login: (await askLogin(cli)).state,
  };
}

function networkProblems(env: Readonly<Record<string, string>>): NetworkProblem[] {
  const certificates = env.NODE_EXTRA_CA_CERTS ?? '';
  return [
    ...(certificates !== '' && !realDisk.isFile(certificates)
      ? (['certificatesMissing'] as const)
      : []),
    ...(env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? (['certificatesUnchecked'] as const) : []),
  ];
}

function isPrepared(value: unknown): value is PreparedCli {
  return typeof value === 'object' && value !== null && 'command' in value;
}

function notFound(error: unknown): CliFacts['cli'] {
  return error instanceof UserFacingError
    ? { found: false, message: error.message, next: error.next, details: error.details }
    : { found: false, message: String(error), next: undefined, details: undefined };
}

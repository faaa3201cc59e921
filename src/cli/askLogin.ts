import { askCli, askCliOnce, type CliCommand } from './askCli';

/** What the CLI says of its login. */
export interface LoginAnswer {
  /** `notAsked`: this CLI has no command for it. `unknown`: it gave no answer. */
  readonly state: 'yes' | 'no' | 'unknown' | 'notAsked';
  /** Its whole answer; another login gives another one. Holds no secret, but may name the account. */
  readonly text: string;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Asks `claude auth status`: an account, a key or another provider all count as a login. An older
 * CLI without the command would take its words for a prompt, so the help is read first.
 */
export async function askLogin(cli: CliCommand & { env: Environment }): Promise<LoginAnswer> {
  if (!(await knowsAuth(cli))) return { state: 'notAsked', text: '' };
  const { code, stdout } = await askCli(cli, ['auth', 'status'], cli.env);
  return { state: code === 0 ? 'yes' : code === 1 ? 'no' : 'unknown', text: stdout };
}

/** The arguments with which this CLI logs in; in an older one it is a command of its own screen. */
export async function loginArguments(
  cli: CliCommand & { env: Environment },
): Promise<readonly string[]> {
  return (await knowsAuth(cli)) ? ['auth', 'login'] : ['/login'];
}

async function knowsAuth(cli: CliCommand & { env: Environment }): Promise<boolean> {
  const help = await askCliOnce(cli, ['--help'], cli.env);
  return /^\s+auth\b/m.test(help.stdout);
}

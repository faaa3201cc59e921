import { userInfo } from 'node:os';
import path from 'node:path';
import { startHelper, type HelperProcess } from './helperProcess';

/**
 * The PATH of a person's terminal. An editor that was started from a dock or a menu did not read
 * the profile of the shell, so version managers are not on its own PATH.
 */

/** How long the shell may take, in ms: profiles can be slow, and some wait for ever. */
const LIMIT_MS = 5000;
/** How long it may take to end after its answer, in ms. */
const END_MS = 1000;
/** Profiles print greetings; what is more than this is not one. */
const MAX_OUTPUT = 1024 * 1024;
const MARK = '__patchbay_path__';
/** Runs in every shell that people log in with, since only `sh` reads what stands in quotes. */
const PRINT_PATH = `/bin/sh -c 'printf "\\n%s%s%s\\n" ${MARK} "$PATH" ${MARK}'`;

export interface LoginShellOptions {
  /** The environment of the CLI. Its `SHELL` is asked, else the one of the user account. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
  /** Default 5000. */
  readonly limitMs?: number;
}

export interface LoginShellAnswer {
  /** Undefined where there is none to ask. */
  readonly shell: string | undefined;
  /** Undefined when the shell did not tell. */
  readonly path: string | undefined;
  /** For the log. Not localized. */
  readonly note: string;
}

const answers = new Map<string, Promise<LoginShellAnswer>>();

/** Asks once for each shell, home and PATH, however many ask; a failure is kept too. Never rejects. */
export function loginShellPath(options: LoginShellOptions): Promise<LoginShellAnswer> {
  if ((options.platform ?? process.platform) === 'win32') {
    return Promise.resolve({ shell: undefined, path: undefined, note: 'none on Windows' });
  }
  const shell = options.env.SHELL ?? accountShell();
  if (shell === undefined || !path.isAbsolute(shell)) {
    return Promise.resolve({ shell: undefined, path: undefined, note: 'no shell is named' });
  }
  const key = JSON.stringify([shell, options.env.HOME, options.env.PATH]);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = ask(shell, options);
  answers.set(key, answer);
  return answer;
}

/** The arguments that make a shell read its profile and run one command. */
export function loginShellArguments(shell: string, command: string): string[] {
  switch (path.basename(shell)) {
    case 'csh':
    case 'tcsh':
      // They take -l only when it stands alone.
      return ['-ic', command];
    case 'pwsh':
      return ['-Login', '-Command', command];
    case 'nu':
    case 'xonsh':
      return ['-i', '-l', '-c', command];
    default:
      return ['-ilc', command];
  }
}

/** What stands between the marks; undefined when they are not both there. */
export function parsePrintedPath(output: string): string | undefined {
  // The last pair: a profile that traces its commands prints the marks as well.
  const end = output.lastIndexOf(MARK);
  const start = end <= 0 ? -1 : output.lastIndexOf(MARK, end - 1);
  if (start === -1) return undefined;
  const found = output.slice(start + MARK.length, end);
  return found === '' || /[\r\n]/.test(found) ? undefined : found;
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

function ask(shell: string, options: LoginShellOptions): Promise<LoginShellAnswer> {
  const limit = options.limitMs ?? LIMIT_MS;
  return new Promise((resolve) => {
    const settle = (found: string | undefined, note: string): void =>
      resolve({ shell, path: found, note });
    let helper: HelperProcess;
    try {
      helper = start(shell, options.env);
    } catch (error) {
      settle(undefined, String(error));
      return;
    }
    const { child } = helper;
    const giveUp = (): void => {
      settle(undefined, `no answer within ${limit} ms`);
      helper.end();
    };
    let timer = setTimeout(giveUp, limit);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
      const found = parsePrintedPath(output);
      if (found === undefined) return;
      settle(found, 'answered');
      // It may end by itself, and wait for nothing when it does.
      child.stdout?.removeAllListeners('data').resume();
      clearTimeout(timer);
      timer = setTimeout(giveUp, END_MS);
    });
    const ended = (note: string): void => {
      clearTimeout(timer);
      settle(undefined, note);
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code) => {
      // What it left behind could hold the pipe open; its last words may still be on the way.
      clearTimeout(timer);
      timer = setTimeout(giveUp, END_MS);
      child.once('close', () => ended(`ended with ${String(code)} and no PATH`));
    });
  });
}

function start(shell: string, env: Readonly<Record<string, string>>): HelperProcess {
  return startHelper(shell, loginShellArguments(shell, PRINT_PATH), {
    // VS Code's own sign to profiles that they should be quick and ask nothing.
    env: { ...env, VSCODE_RESOLVING_ENVIRONMENT: '1' },
    cwd: path.parse(shell).root,
  });
}

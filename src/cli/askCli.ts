import { statSync } from 'node:fs';
import { startHelper, type HelperProcess } from './helperProcess';

const TIMEOUT_MS = 10_000;
/** How long its last words may be on the way, in ms. */
const LAST_WORDS_MS = 1000;
const MAX_OUTPUT = 1024 * 1024;

/** How a CLI is started: `command`, then `args`, then the arguments of the moment. */
export interface CliCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The CLI's own file; undefined when it lies where a wrapper leads and cannot be looked at. */
  readonly file: string | undefined;
}

export interface CliAnswer {
  /** Undefined when it could not be started, was ended by a signal or did not end in time. */
  readonly code: number | undefined;
  readonly stdout: string;
}

/** Answers by file and question, kept while path, size and time of change stay the same. */
const answers = new Map<string, Promise<CliAnswer>>();

/** Runs the CLI for a short answer, with an empty stdin. Never rejects. */
export function askCli(
  cli: CliCommand,
  question: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliAnswer> {
  return new Promise((resolve) => {
    let stdout = '';
    let helper: HelperProcess;
    try {
      helper = startHelper(cli.command, [...cli.args, ...question], { env });
    } catch {
      resolve({ code: undefined, stdout });
      return;
    }
    const { child } = helper;
    const giveUp = (): void => {
      resolve({ code: undefined, stdout });
      helper.end();
    };
    let timer = setTimeout(giveUp, TIMEOUT_MS);
    const settle = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, stdout });
    };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (stdout.length > MAX_OUTPUT) giveUp();
    });
    child.once('error', () => settle(null));
    child.once('exit', (code) => {
      // What it left behind, such as a wrapper's daemon, could hold the pipe open for ever.
      clearTimeout(timer);
      timer = setTimeout(() => {
        child.stdout?.destroy();
        settle(code);
      }, LAST_WORDS_MS);
      child.once('close', () => settle(code));
    });
  });
}

/** The same, asked once for each file, however many ask; a failure is asked again. */
export function askCliOnce(
  cli: CliCommand,
  question: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliAnswer> {
  const key = cliKey(cli, question);
  if (key === undefined) return askCli(cli, question, env);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = askCli(cli, question, env);
  answers.set(key, answer);
  // A failure may be a passing one, such as a machine out of memory.
  void answer.then(({ code }) => {
    if (code !== 0) answers.delete(key);
  });
  return answer;
}

/** Names this very state of the CLI's file; undefined when there is no file to look at. */
export function cliKey(cli: CliCommand, question: readonly string[] = []): string | undefined {
  if (cli.file === undefined) return undefined;
  const stat = statSync(cli.file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return JSON.stringify([cli.command, cli.args, cli.file, stat.size, stat.mtimeMs, question]);
}

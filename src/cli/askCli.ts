import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

const TIMEOUT_MS = 10_000;
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
    const options = {
      env,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
      maxBuffer: MAX_OUTPUT,
    } as const;
    try {
      const args = [...cli.args, ...question];
      const child = execFile(cli.command, args, options, (error, stdout) => {
        const code = error === null ? 0 : error.code;
        resolve({ code: typeof code === 'number' ? code : undefined, stdout });
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end();
    } catch {
      resolve({ code: undefined, stdout: '' });
    }
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

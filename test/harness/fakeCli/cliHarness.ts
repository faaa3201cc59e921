import type { Logger } from '../../../src/base/logger';
import type { ControlHandlers } from '../../../src/cli/controlChannel';
import { createCliSession, type CliSession } from '../../../src/cli/cliSession';
import { launchArguments } from '../../../src/cli/launchArguments';
import { CLOSE_LIMITS, type CloseLimits } from '../../../src/cli/closeLimits';
import type { CliExit, LineTransport } from '../../../src/cli/lineTransport';
import { spawnCli } from '../../../src/cli/spawnCli';
import type { ConversationMessage } from '../../../src/protocol/messages';
import { createFakeCli, type FakeCli } from './createFakeCli';
import type { FakeScript } from './fakeCliScript';

/** A session over a real process, with all that it said. */
export interface RunningCli {
  readonly transport: LineTransport;
  readonly session: CliSession;
  readonly messages: readonly ConversationMessage[];
  readonly log: readonly string[];
  /** Resolves with the first message, past or to come, that fits; rejects when the CLI ends first. */
  readonly waitFor: <M extends ConversationMessage>(
    fits: (message: ConversationMessage) => message is M,
  ) => Promise<M>;
  /** Resolves when a `result` number `count` (from 1) has come. */
  readonly results: (count: number) => Promise<void>;
}

/** A logger that keeps its lines. */
export function listLogger(lines: string[]): Logger {
  const add =
    (level: string) =>
    (message: string): void => {
      lines.push(`${level}: ${message}`);
    };
  return {
    trace: add('trace'),
    debug: add('debug'),
    info: add('info'),
    warn: add('warn'),
    error: add('error'),
  };
}

export interface RunOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly handlers?: ControlHandlers;
  readonly maxLineBytes?: number;
  readonly closeLimits?: CloseLimits;
}

/** An upper bound for a busy machine; every wait ends with its condition. */
const PATIENCE_MS = 120_000;

/** For a CLI that ends when it is asked to: what it is said to be must not hang on a busy machine. */
export const PATIENT: CloseLimits = { ...CLOSE_LIMITS, inputMs: 60_000 };

/** For a CLI that must be killed: nothing is gained by waiting. */
export const IMPATIENT: CloseLimits = { ...CLOSE_LIMITS, inputMs: 100, termMs: 100, leftMs: 100 };

/** Spawns a CLI and puts a session over it. */
export async function runCli(options: RunOptions): Promise<RunningCli> {
  const log: string[] = [];
  const transport = await spawnCli({
    command: options.command,
    args: options.args ?? launchArguments({ trusted: true }),
    cwd: options.cwd,
    env: options.env,
    log: listLogger(log),
    ...(options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes }),
    ...(options.closeLimits === undefined ? {} : { closeLimits: options.closeLimits }),
  });
  const session = createCliSession({
    transport,
    handlers: options.handlers ?? {},
    log: listLogger(log),
  });
  const messages: ConversationMessage[] = [];
  const checks = new Set<() => void>();
  session.onDidReceiveMessage((message) => {
    messages.push(message);
    for (const check of [...checks]) check();
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        checks.delete(check);
        const heard = messages.slice(-5).map((message) => JSON.stringify(message).slice(0, 500));
        reject(new Error(`waited in vain; the last messages:\n${heard.join('\n')}`));
      }, PATIENCE_MS);
      const check = (): void => {
        if (!condition()) return;
        clearTimeout(timer);
        checks.delete(check);
        resolve();
      };
      checks.add(check);
      check();
      void session.exited.then((exit) => {
        clearTimeout(timer);
        if (checks.delete(check)) reject(new Error(`The CLI ended first: ${describe(exit)}`));
      });
    });
  return {
    transport,
    session,
    messages,
    log,
    waitFor: async <M extends ConversationMessage>(
      fits: (message: ConversationMessage) => message is M,
    ): Promise<M> => {
      await until(() => messages.some((message) => fits(message)));
      return messages.find(fits)!;
    },
    results: (count) =>
      until(() => messages.filter(({ type }) => type === 'result').length >= count),
  };
}

export interface RunningFake extends RunningCli {
  readonly fake: FakeCli;
}

/** Runs a test body over a fake CLI; whatever happens, its process and folder are gone afterwards. */
export async function withFakeCli(
  script: FakeScript,
  body: (running: RunningFake) => Promise<void>,
  options: Partial<RunOptions> = {},
): Promise<void> {
  const fake = await createFakeCli(script);
  try {
    const running = await runCli({
      command: fake.command,
      cwd: fake.folder,
      env: fake.env,
      ...options,
    });
    try {
      await body({ ...running, fake });
    } finally {
      await running.session.dispose();
    }
  } finally {
    await fake.dispose();
  }
}

function describe(exit: CliExit): string {
  return `${exit.kind} ${String(exit.code ?? exit.signal)} ${exit.stderrTail}`;
}

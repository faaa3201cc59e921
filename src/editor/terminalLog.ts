import type * as vscode from 'vscode';
import { Emitter } from '../base/event';
import { pause } from './boundedCall';
import { OutputTail, withoutSecretValues } from './terminalText';

const COMMANDS_KEPT = 50;
const OUTPUT_KEPT = 16_000;
const READ_MS = 5_000;

/** A command of a terminal, as shell integration told of it. */
export interface SeenCommand {
  /** Counts all that were seen, from 1. */
  readonly number: number;
  readonly terminal: vscode.Terminal;
  /** As it was called at the end; that of a task is renamed a moment after the start. */
  readonly terminalName: string;
  readonly commandLine: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Undefined while it runs, and where the shell told none. */
  readonly exitCode: number | undefined;
  readonly output: OutputTail;
}

/** The last commands of all terminals, tasks included, with what they printed. Nothing is typed by it. */
export class TerminalLog {
  readonly #commands: Mutable[] = [];
  readonly #byExecution = new WeakMap<vscode.TerminalShellExecution, Mutable>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #count = 0;

  /** @param output of the execution, asked for in the event itself: later it is not to be had */
  started(
    { terminal, execution }: vscode.TerminalShellExecutionStartEvent,
    output: AsyncIterable<string>,
  ): void {
    this.#count += 1;
    const command: Mutable = {
      number: this.#count,
      terminal,
      terminalName: terminal.name,
      // Read once more at its end: the shell may tell the whole line only then.
      commandLine: execution.commandLine.value,
      startedAt: Date.now(),
      endedAt: undefined,
      exitCode: undefined,
      output: new OutputTail(OUTPUT_KEPT),
      reading: Promise.resolve(),
    };
    this.#byExecution.set(execution, command);
    this.#commands.push(command);
    if (this.#commands.length > COMMANDS_KEPT) this.#letGo();
    command.reading = this.#read(command, output);
  }

  async ended({ execution, exitCode }: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    const command = this.#byExecution.get(execution);
    if (command === undefined) return;
    const { value } = execution.commandLine;
    if (value !== '') command.commandLine = value;
    const endedAt = Date.now();
    // The end may be told before the last of the output, and that may never end.
    const read = new AbortController();
    void command.reading.then(() => read.abort());
    await pause(READ_MS, read.signal);
    command.endedAt = endedAt;
    command.terminalName = command.terminal.name;
    command.exitCode = exitCode;
    this.#changed.fire();
  }

  /** The newest first. */
  commands(): readonly SeenCommand[] {
    return [...this.#commands].reverse();
  }

  /** How many were seen in all; the oldest are let go of. */
  get seen(): number {
    return this.#count;
  }

  /** Of the oldest that is over: what still runs, as a server does all day, is asked about later. */
  #letGo(): void {
    const over = this.#commands.findIndex((command) => !isRunning(command));
    this.#commands.splice(Math.max(0, over), 1);
  }

  async #read(command: Mutable, output: AsyncIterable<string>): Promise<void> {
    try {
      for await (const piece of output) command.output.push(piece);
    } catch {
      // What came until then is told.
    }
  }
}

type Mutable = { -readonly [Key in keyof SeenCommand]: SeenCommand[Key] } & {
  reading: Promise<void>;
};

/** Of one whose terminal was closed the editor tells no end. */
export function isRunning({ endedAt, terminal }: SeenCommand): boolean {
  return endedAt === undefined && terminal.exitStatus === undefined;
}

/** `exit 0, 3.2 s`, `running for 12 s`. */
export function commandState(command: SeenCommand): string {
  const { startedAt, endedAt, exitCode } = command;
  if (endedAt === undefined && !isRunning(command)) return 'ended as its terminal was closed';
  if (endedAt === undefined) return `running for ${seconds(Date.now() - startedAt)}`;
  const code = exitCode === undefined ? 'exit code not told' : `exit ${exitCode}`;
  return `${code}, ${seconds(endedAt - startedAt)}`;
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

/** The command line without values that are named like secrets. */
export function shownCommand({ commandLine }: SeenCommand): string {
  return withoutSecretValues(commandLine);
}

import * as l10n from '@vscode/l10n';
import { describe, int, object, optional } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { count, oneLine, RESULT_LIMIT } from './resultBudget';
import {
  commandState,
  isRunning,
  type SeenCommand,
  shownCommand,
  type TerminalLog,
} from './terminalLog';
import { tailLines } from './terminalText';
import { answer, ToolProblem } from './toolProblem';

const LISTED = 15;
const TAIL_LIMIT = 2_500;
const WHOLE_LIMIT = 5_500;
/** For the line above an output. */
const TITLE_ROOM = 80;

export function createTerminalTool({
  terminals,
}: {
  readonly terminals: TerminalLog;
}): ToolDefinition {
  return defineTool({
    name: 'terminal',
    title: l10n.t('Terminal'),
    description:
      "The last commands of the person's terminals with exit codes, and the end of what one printed.",
    input: object({
      command: optional(int().check(describe('number as listed; default the newest'))),
    }),
    annotations: { readOnlyHint: true },
    searchHint: 'what ran in the terminal, its output and exit code',
    run: ({ command }) =>
      answer(() =>
        Promise.resolve(command === undefined ? listed(terminals) : one(terminals, command)),
      ),
  });
}

function listed(terminals: TerminalLog): string {
  const commands = terminals.commands();
  const [newest] = commands;
  const silent = silentTerminals();
  if (newest === undefined) {
    return ['0 commands seen since the window opened', ...silent].join('\n');
  }
  const running = commands.filter(isRunning).length;
  const left = terminals.seen - Math.min(commands.length, LISTED);
  const list = [
    `${count(terminals.seen, 'command')} seen, newest first, ${running} running`,
    ...commands.slice(0, LISTED).map(commandLine),
    ...(left > 0 ? [`left: ${count(left, 'older one')}`] : []),
    ...silent,
  ].join('\n');
  const room = RESULT_LIMIT - list.length - TITLE_ROOM;
  return [list, ...outputOf(newest, Math.min(TAIL_LIMIT, room))].join('\n');
}

function one(terminals: TerminalLog, wanted: number): string {
  const commands = terminals.commands();
  const command = commands.find(({ number }) => number === wanted);
  if (command === undefined) {
    const numbers = commands.map(({ number }) => number);
    const there =
      numbers.length === 0 ? 'none was seen' : `${numbers.at(-1) ?? 0}-${numbers[0] ?? 0}`;
    throw new ToolProblem(`No command ${wanted}. There are: ${there}`);
  }
  return [commandLine(command).trim(), ...outputOf(command, WHOLE_LIMIT)].join('\n');
}

function commandLine(command: SeenCommand): string {
  const { number, terminal, terminalName, endedAt } = command;
  const line = oneLine(shownCommand(command), 160) || '(command line not captured)';
  // That of a task has the next task's name by now.
  const name = endedAt === undefined ? terminal.name : terminalName;
  return ` ${number} [${oneLine(name, 40)}] ${line}: ${commandState(command)}`;
}

function outputOf({ number, output }: SeenCommand, limit: number): readonly string[] {
  const lines = tailLines(output.since(), limit, output.length);
  const [title, ...rest] = lines;
  if (title === undefined) return [`output of ${number}: none captured`];
  return [title.replace('output', `output of ${number}`), ...rest];
}

/** Terminals whose shell tells nothing of its commands. */
function silentTerminals(): readonly string[] {
  const silent = vscode.window.terminals.filter(
    ({ shellIntegration }) => shellIntegration === undefined,
  );
  if (silent.length === 0) return [];
  const names = oneLine(silent.map(({ name }) => name).join(', '), 120);
  return [`not captured, no shell integration: ${names}`];
}

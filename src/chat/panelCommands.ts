import * as l10n from '@vscode/l10n';
import { isKeyOf } from '../base/isKeyOf';
import { tryParseCommandLine } from './commandLine';

/** What is typed before a name that the agent has a command of. */
const PREFIX = 'patchbay:';

/** The panel's own commands: run in place, never sent to the model. By what is typed behind the slash. */
const COMMANDS = {
  new: () => l10n.t('Begin a new conversation'),
  history: () => l10n.t('Show the past conversations of this folder'),
  find: () => l10n.t('Find in this conversation'),
  collapse: () => l10n.t('Fold everything that is open in this conversation'),
  focus: () => l10n.t("Fold each turn's work into one line, or unfold it"),
  export: () => l10n.t('Write this conversation into a file'),
  tools: () => l10n.t('Show all servers and their tools'),
  servers: () => l10n.t('Show the MCP servers and what state they are in'),
  rules: () => l10n.t('Show the permission rules, and what they would decide'),
  login: () => l10n.t('Log in to the agent, in a terminal'),
  doctor: () => l10n.t('Look for what may be wrong with the installation'),
  log: () => l10n.t("Show Patchbay's log"),
  settings: () => l10n.t("Open Patchbay's settings"),
} satisfies Readonly<Record<string, () => string>>;

export type PanelCommand = keyof typeof COMMANDS;

/** A message that calls one of them. */
export interface PanelCommandCall {
  readonly command: PanelCommand;
  /** As it was typed, with the slash. */
  readonly typed: string;
  /** What stands behind it: none of them takes anything. */
  readonly rest: string;
}

/** A command as it is offered. */
export interface OfferedPanelCommand {
  readonly command: PanelCommand;
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
}

/** @param isTaken whether the agent has a command of this name: then it means that one */
export function panelCommands(isTaken: (name: string) => boolean): readonly OfferedPanelCommand[] {
  return Object.entries(COMMANDS).flatMap(([command, describe]) => {
    if (!isKeyOf(COMMANDS, command)) return [];
    const name = isTaken(command) ? `${PREFIX}${command}` : command;
    return [{ command, name, description: describe() }];
  });
}

/** Undefined for a message that calls none. The long form always calls ours. */
export function tryParsePanelCommand(
  text: string,
  isTaken: (name: string) => boolean,
): PanelCommandCall | undefined {
  const line = tryParseCommandLine(text);
  if (line === undefined) return undefined;
  const isLong = line.name.startsWith(PREFIX);
  const command = isLong ? line.name.slice(PREFIX.length) : line.name;
  if (!isKeyOf(COMMANDS, command) || (!isLong && isTaken(command))) return undefined;
  return { command, typed: `/${line.name}`, rest: line.rest.trim() };
}

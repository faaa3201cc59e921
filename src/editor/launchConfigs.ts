import { array, looseObject, optional, string, union, unknown } from 'zod/mini';
import * as vscode from 'vscode';
import { tryRead } from './debugProtocol';
import type { FoundFile } from './findFile';
import { isToldAs } from './meantWords';
import { openDocument } from './openDocument';
import { nearestNames } from './pathDisplay';
import { oneLine } from './resultBudget';
import { shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** What can be started: a configuration, or a compound of several. */
export interface LaunchChoice {
  /** With its folder before it where there are several folders. */
  readonly name: string;
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly start: string | vscode.DebugConfiguration;
  /** The sessions that it begins. */
  readonly sessions: readonly ChosenSession[];
  /** It may ask the person something before it begins. */
  readonly asks: boolean;
  readonly text: string;
}

export interface ChosenSession {
  readonly name: string;
  /** Undefined where it may be of any. */
  readonly folder: vscode.WorkspaceFolder | undefined;
}

const configSchema = looseObject({
  name: string(),
  type: optional(string()),
  request: optional(string()),
});
const wholeConfigSchema = looseObject({ name: string(), type: string(), request: string() });
const partSchema = union([string(), looseObject({ name: string(), folder: optional(string()) })]);
const compoundSchema = looseObject({ name: string(), configurations: array(unknown()) });
const manifestSchema = looseObject({
  contributes: optional(looseObject({ debuggers: optional(array(unknown())) })),
});
const debuggerSchema = looseObject({ type: string(), languages: optional(array(string())) });

/** Those in launch.json and in settings. What an extension would offer only when asked is not known. */
export function launchChoices(): readonly LaunchChoice[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const all = folders.map((folder) => {
    const before = folders.length > 1 ? `${shownPath(folder.uri)}/` : '';
    const launch = vscode.workspace.getConfiguration('launch', folder.uri);
    const single = listOf(launch.inspect('configurations')?.workspaceFolderValue).flatMap((raw) =>
      configChoice(raw, folder, before),
    );
    const compounds = listOf(launch.inspect('compounds')?.workspaceFolderValue);
    return { folder, before, single, compounds };
  });
  const known = all.flatMap(({ single }) => single);
  const ofFolders = all.flatMap(({ folder, before, single, compounds }) => [
    ...single,
    ...compounds.flatMap((raw) => compoundChoice(raw, folder, before, known)),
  ]);
  // Of one name the nearest counts.
  const names = new Set(ofFolders.map(({ name }) => name));
  const more = settingChoices().filter(({ name }) => !names.has(name) && names.add(name));
  return [...ofFolders, ...more];
}

/**
 * Those of the user's settings and of a workspace file. By its name the editor starts only what a
 * folder has: these are handed over whole, which leaves their compounds to the person.
 */
function settingChoices(): readonly LaunchChoice[] {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  const place = others.length === 0 ? folder : undefined;
  const known = vscode.workspace.getConfiguration('launch', null).inspect('configurations');
  const raw = [known?.workspaceValue, known?.globalValue].flatMap(listOf);
  return raw.flatMap((one) => {
    const start = tryRead(wholeConfigSchema, one);
    return start ? configChoice(one, place, '').map((choice) => ({ ...choice, start })) : [];
  });
}

/** @throws ToolProblem with the nearest names, or where several folders have the name */
export function findChoice(name: string): LaunchChoice {
  const all = launchChoices();
  const exact = all.filter((choice) => choice.name === name);
  const bare = all.filter(({ start }) => start === name);
  const told = all.filter((choice) => isToldAs(choice.name, name));
  const found = [exact, bare, told].find((list) => list.length > 0) ?? [];
  const [first, second] = found;
  // Of two of one folder the editor takes the first as well.
  if (first !== undefined && (second === undefined || found === exact)) return first;
  if (second !== undefined) {
    const names = found.map((choice) => `"${choice.name}"`).join(', ');
    throw new ToolProblem(`Several configurations have this name: ${names}`);
  }
  const nearest = nearestNames(
    name,
    all.map((choice) => choice.name),
  ).map((each) => `"${each}"`);
  throw new ToolProblem(
    `No launch configuration "${oneLine(name, 60)}". ${nearest.length > 0 ? `Nearest: ${nearest.join(', ')}` : 'There is none; give a path'}`,
  );
}

/**
 * A file to be run with the debugger that an installed extension has for its language.
 * @throws ToolProblem where there is none
 */
export async function fileChoice(file: FoundFile): Promise<LaunchChoice> {
  const { languageId } = await openDocument(file);
  const type = debuggerFor(languageId);
  if (type === undefined) {
    throw new ToolProblem(
      `No installed debugger starts ${languageId} files. Give a launch configuration by name`,
    );
  }
  const name = `Debug ${file.path}`;
  const folder = vscode.workspace.getWorkspaceFolder(file.uri);
  return {
    ...{ name, folder, sessions: [{ name, folder }], asks: false, text: '' },
    // What it prints is read from there; a terminal keeps it to itself.
    start: { type, request: 'launch', name, program: file.uri.fsPath, console: 'internalConsole' },
  };
}

const ASKS = ', may ask the person';

function configChoice(
  raw: unknown,
  folder: vscode.WorkspaceFolder | undefined,
  before: string,
): readonly LaunchChoice[] {
  const config = tryRead(configSchema, raw);
  if (config === undefined) return [];
  const { name, type = 'unknown type', request = '' } = config;
  const asks = /\$\{(?:input|command):/u.test(JSON.stringify(raw));
  const text = `${oneLine(before + name, 120)} (${oneLine(`${type} ${request}`, 60)}${asks ? ASKS : ''})`;
  const sessions = [{ name, folder }];
  return [{ name: before + name, folder, start: name, sessions, asks, text }];
}

/** @param known the configurations of all folders */
function compoundChoice(
  raw: unknown,
  folder: vscode.WorkspaceFolder,
  before: string,
  known: readonly LaunchChoice[],
): readonly LaunchChoice[] {
  const compound = tryRead(compoundSchema, raw);
  if (compound === undefined) return [];
  /** As the editor takes it: the folder that is named, else its own, else the only one that has it. */
  const partOf = (name: string, named?: string): LaunchChoice | undefined => {
    const found = known.filter(({ start }) => start === name);
    if (named !== undefined) return found.find((one) => one.folder?.name === named);
    return (
      found.find((one) => one.folder === folder) ?? (found.length === 1 ? found[0] : undefined)
    );
  };
  const parts = compound.configurations.flatMap((part) => {
    const read = tryRead(partSchema, part);
    if (read === undefined) return [];
    const { name, folder: named } =
      typeof read === 'string' ? { name: read, folder: undefined } : read;
    return [{ name, choice: partOf(name, named) }];
  });
  const sessions = parts.map(({ name, choice }) => ({ name, folder: choice?.folder }));
  const { name } = compound;
  const asks = parts.some(({ choice }) => choice?.asks === true);
  const names = oneLine(sessions.map((part) => part.name).join(', '), 120);
  const text = `${oneLine(before + name, 120)} (compound of ${names}${asks ? ASKS : ''})`;
  return [{ name: before + name, folder, start: name, sessions, asks, text }];
}

function debuggerFor(languageId: string): string | undefined {
  for (const { packageJSON } of vscode.extensions.all) {
    const manifest = tryRead(manifestSchema, packageJSON);
    for (const raw of manifest?.contributes?.debuggers ?? []) {
      const known = tryRead(debuggerSchema, raw);
      if (known?.languages?.includes(languageId) === true) return known.type;
    }
  }
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

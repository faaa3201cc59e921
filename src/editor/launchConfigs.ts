import { array, looseObject, optional, string, union, unknown } from 'zod/mini';
import * as vscode from 'vscode';
import { tryRead } from './debugProtocol';
import type { FoundFile } from './findFile';
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
  /** Names of the sessions that it begins. */
  readonly sessions: readonly string[];
  readonly text: string;
}

const configSchema = looseObject({
  name: string(),
  type: optional(string()),
  request: optional(string()),
});
const wholeConfigSchema = looseObject({ name: string(), type: string(), request: string() });
const partSchema = union([string(), looseObject({ name: string() })]);
const compoundSchema = looseObject({ name: string(), configurations: array(unknown()) });
const manifestSchema = looseObject({
  contributes: optional(looseObject({ debuggers: optional(array(unknown())) })),
});
const debuggerSchema = looseObject({ type: string(), languages: optional(array(string())) });

/** Those in launch.json and in settings. What an extension would offer only when asked is not known. */
export function launchChoices(): readonly LaunchChoice[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const ofFolders = folders.flatMap((folder) => {
    const before = folders.length > 1 ? `${shownPath(folder.uri)}/` : '';
    const launch = vscode.workspace.getConfiguration('launch', folder.uri);
    const single = listOf(launch.inspect('configurations')?.workspaceFolderValue).flatMap((raw) =>
      configChoice(raw, folder, before),
    );
    const compounds = listOf(launch.inspect('compounds')?.workspaceFolderValue).flatMap((raw) =>
      compoundChoice(raw, folder, before),
    );
    return [...single, ...compounds];
  });
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
  const found = exact.length > 0 ? exact : all.filter(({ start }) => start === name);
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
  return {
    name,
    folder: vscode.workspace.getWorkspaceFolder(file.uri),
    sessions: [name],
    text: '',
    // What it prints is read from there; a terminal keeps it to itself.
    start: { type, request: 'launch', name, program: file.uri.fsPath, console: 'internalConsole' },
  };
}

function configChoice(
  raw: unknown,
  folder: vscode.WorkspaceFolder | undefined,
  before: string,
): readonly LaunchChoice[] {
  const config = tryRead(configSchema, raw);
  if (config === undefined) return [];
  const { name, type = 'unknown type', request = '' } = config;
  const asks = /\$\{(?:input|command):/u.test(JSON.stringify(raw)) ? ', may ask the person' : '';
  const text = `${oneLine(before + name, 120)} (${oneLine(`${type} ${request}`, 60)}${asks})`;
  return [{ name: before + name, folder, start: name, sessions: [name], text }];
}

function compoundChoice(
  raw: unknown,
  folder: vscode.WorkspaceFolder | undefined,
  before: string,
): readonly LaunchChoice[] {
  const compound = tryRead(compoundSchema, raw);
  if (compound === undefined) return [];
  const sessions = compound.configurations.flatMap((part) => {
    const read = tryRead(partSchema, part);
    return read === undefined ? [] : [typeof read === 'string' ? read : read.name];
  });
  const { name } = compound;
  const text = `${oneLine(before + name, 120)} (compound of ${oneLine(sessions.join(', '), 120)})`;
  return [{ name: before + name, folder, start: name, sessions, text }];
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

import * as l10n from '@vscode/l10n';
import { UserFacingError } from '../base/errors';
import { pathsOf, type CliDisk } from './cliDisk';
import {
  cliNotExecutable,
  cliNotFound,
  findMissingInterpreter,
  missingInterpreter,
} from './spawnFailure';
import { isScript, windowsShimTarget } from './windowsShim';

export interface ProgramContext {
  readonly platform: NodeJS.Platform;
  readonly disk: CliDisk;
  /** The folders of the PATH that the CLI would get. */
  readonly onPath: readonly string[];
  /** Where else a Node may lie. */
  readonly elsewhere: () => Promise<readonly string[]>;
}

/** How a file is started. */
export interface Program {
  readonly ok: true;
  readonly command: string;
  readonly args: readonly string[];
  /** Folders that must be added to its PATH. */
  readonly neededFolders: readonly string[];
}

export type ResolvedProgram = Program | { readonly ok: false; readonly error: UserFacingError };

/**
 * What has to be started so that this file runs: itself, what npm's shim starts, or a real Node with
 * the script. `process.execPath` is never that Node: inside an editor it is Electron.
 */
export async function resolveProgram(
  file: string,
  context: ProgramContext,
): Promise<ResolvedProgram> {
  return context.platform === 'win32' ? onWindows(file, context) : onUnix(file, context);
}

async function onWindows(file: string, context: ProgramContext): Promise<ResolvedProgram> {
  if (/\.(?:exe|com)$/i.test(file)) return started(file);
  if (isScript(file)) return byNode(file, context);
  const target = windowsShimTarget(file, context.disk.read(file));
  if (target === undefined) return { ok: false, error: unreadableShim(file) };
  if (!context.disk.isFile(target)) return { ok: false, error: cliNotFound(target) };
  return isScript(target) ? byNode(target, context, [folderOf(file, context)]) : started(target);
}

async function onUnix(file: string, context: ProgramContext): Promise<ResolvedProgram> {
  const { disk, platform } = context;
  if (!disk.isExecutable(file)) {
    return isScript(file) ? byNode(file, context) : { ok: false, error: cliNotExecutable(file) };
  }
  const missing = findMissingInterpreter(file, context.onPath.join(':'), disk);
  if (missing === undefined) return started(file);
  // Only a runtime that is asked for by name can be found elsewhere.
  if (!pathsOf(platform).isAbsolute(missing)) {
    const found = await findProgram(missing, context, [folderOf(file, context)]);
    if (found !== undefined) return { ...started(file), neededFolders: [folderOf(found, context)] };
  }
  return { ok: false, error: missingInterpreter(file, missing) };
}

async function byNode(
  script: string,
  context: ProgramContext,
  first: readonly string[] = [],
): Promise<ResolvedProgram> {
  const node = await findProgram('node', context, [...first, folderOf(script, context)]);
  return node === undefined
    ? { ok: false, error: missingInterpreter(script, 'node') }
    : { ok: true, command: node, args: [script], neededFolders: [] };
}

async function findProgram(
  name: string,
  context: ProgramContext,
  first: readonly string[],
): Promise<string | undefined> {
  const paths = pathsOf(context.platform);
  const fileName = context.platform === 'win32' ? `${name}.exe` : name;
  const inFolders = (folders: readonly string[]): string | undefined =>
    folders
      .map((folder) => paths.join(folder, fileName))
      .find((file) => context.disk.isFile(file) && context.disk.isExecutable(file));
  return inFolders([...first, ...context.onPath]) ?? inFolders(await context.elsewhere());
}

function started(command: string): Program {
  return { ok: true, command, args: [], neededFolders: [] };
}

function folderOf(file: string, { platform }: ProgramContext): string {
  return pathsOf(platform).dirname(file);
}

function unreadableShim(file: string): UserFacingError {
  return new UserFacingError(l10n.t('{0} does not say which program it starts.', file), {
    kept: l10n.t('Your text is kept.'),
    next: l10n.t('Name the .exe or .js file of the CLI in the setting patchbay.cli.path.'),
  });
}

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, isAbsent } from '../base/errors';
import { isJsonObject } from '../protocol/lazySchema';
import { configFolder } from './configFolder';
import { configFile } from './personServers';
import { projectEntry, projectFolders } from './projectFolders';
import { readWhole } from './readWhole';

/** The CLI's words for the places in which rules stand. */
export type RuleSource = 'policySettings' | 'userSettings' | 'projectSettings' | 'localSettings';

/** A rule as a settings file has it. */
export interface FiledRule {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly text: string;
  readonly source: RuleSource;
  /** The settings file, absolute. */
  readonly file: string;
}

export interface FiledRules {
  readonly rules: readonly FiledRule[];
  /** `additionalDirectories` as they are written, with their source. */
  readonly directories: readonly { readonly folder: string; readonly source: RuleSource }[];
  /** Files that are there and cannot be read as settings. The CLI runs without them, in silence. */
  readonly faults: readonly { readonly file: string; readonly reason: string }[];
}

export interface RuleFiles extends FiledRules {
  /** The CLI's own mark that the folder is trusted; without it the project's allow rules do not count. */
  readonly isTrusted: boolean;
}

export interface RuleFilesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder in which the CLI works; undefined where no folder is open. */
  readonly folder: string | undefined;
  readonly platform: NodeJS.Platform;
  /** Another place for what an administrator has set. For tests. */
  readonly managedFile?: string;
}

const BEHAVIORS = ['allow', 'ask', 'deny'] as const;

/** Where an administrator may have put settings that nobody can change. */
function managedFile(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json';
  return '/etc/claude-code/managed-settings.json';
}

/** Fact: beside the file there may be a folder of its name with more of them; hidden ones do not count. */
function managedFiles(file: string): readonly string[] {
  const folder = file.replace(/\.json$/, '.d');
  try {
    const names = readdirSync(folder).filter((name) => /^[^.].*\.json$/.test(name));
    return [file, ...names.sort().map((name) => path.join(folder, name))];
  } catch {
    // Mostly there is none.
    return [file];
  }
}

/**
 * Where the person's own settings for a folder are written, absolute. Fact: in the root of its
 * repository, which of a worktree is that of the checkout that it belongs to; those in the folder itself
 * count as well.
 */
export function localSettings(folder: string): string {
  const [root = folder, ...within] = projectFolders(folder);
  // By the name by which it was opened, where that is the root.
  return localIn(within.length === 0 ? folder : root);
}

function localIn(folder: string): string {
  return path.join(folder, '.claude', 'settings.local.json');
}

/** The settings files that count for a folder, absolute, whether they are there or not. */
export function settingsPlaces(
  options: RuleFilesOptions,
): readonly (readonly [RuleSource, string])[] {
  const { folder } = options;
  const managed = managedFiles(options.managedFile ?? managedFile(options.platform));
  const places: (readonly [RuleSource, string])[] = [
    ...managed.map((file) => ['policySettings', file] as const),
    ['userSettings', path.join(configFolder(options), 'settings.json')],
  ];
  if (folder === undefined) return places;
  const local = [...new Set([localIn(folder), localSettings(folder)])];
  return [
    ...places,
    ['projectSettings', path.join(folder, '.claude', 'settings.json')],
    ...local.map((file) => ['localSettings', file] as const),
  ];
}

/**
 * Reads the rules of all settings files that count for a folder, and whether the CLI trusts it. Never
 * throws: a broken file is named.
 */
export async function readRuleFiles(options: RuleFilesOptions): Promise<RuleFiles> {
  const { folder } = options;
  const [isTrusted, read] = await Promise.all([
    folder !== undefined && isFolderTrusted(options, folder),
    readFiledRules(options),
  ]);
  return { ...read, isTrusted };
}

/** The same for whoever needs no trust: the CLI's own file, in which that is marked, can be large. */
export async function readFiledRules(options: RuleFilesOptions): Promise<FiledRules> {
  const read = await Promise.all(
    settingsPlaces(options).map(([source, file]) => readOne(source, file)),
  );
  return {
    rules: read.flatMap(({ rules }) => rules),
    directories: read.flatMap(({ directories }) => directories),
    faults: read.flatMap(({ faults }) => faults),
  };
}

async function readOne(source: RuleSource, file: string): Promise<FiledRules> {
  const none: FiledRules = { rules: [], directories: [], faults: [] };
  let settings: unknown;
  try {
    settings = await readSettings(file);
  } catch (error) {
    return { ...none, faults: [{ file, reason: errorMessage(error) }] };
  }
  if (settings === undefined) return none;
  if (!isJsonObject(settings)) return { ...none, faults: [{ file, reason: 'not an object' }] };
  const permissions = isJsonObject(settings.permissions) ? settings.permissions : {};
  return {
    rules: BEHAVIORS.flatMap((behavior) =>
      textsOf(permissions[behavior]).map((text) => ({ behavior, text, source, file })),
    ),
    directories: textsOf(permissions.additionalDirectories).map((folder) => ({ folder, source })),
    faults: [],
  };
}

/** Undefined for a file that is not there; throws for one that is broken. */
export async function readSettings(file: string): Promise<unknown> {
  let bytes: Buffer;
  try {
    bytes = await readWhole(file);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  const text = settingsText(bytes);
  return text.trim() === '' ? {} : JSON.parse(text);
}

/** Fact: the CLI reads UTF-16 as well, as some shells of Windows write it. */
export function settingsText(bytes: Buffer): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isWide ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/**
 * Whether the CLI itself trusts a folder, so that its project's allow rules count; false where that
 * cannot be read. Fact: the mark `projects[FOLDER].hasTrustDialogAccepted` in `.claude.json`, for the
 * folder or the root of its repository, of a worktree that of its checkout; one of another folder
 * above does not count.
 */
export async function isFolderTrusted(
  options: Pick<RuleFilesOptions, 'env' | 'home'>,
  folder: string,
): Promise<boolean> {
  const config = await readSettings(configFile({ ...options, cwd: folder })).catch(() => undefined);
  const projects = isJsonObject(config) ? config.projects : undefined;
  return [folder, ...projectFolders(folder)].some(
    (one) => projectEntry(projects, [one])?.hasTrustDialogAccepted === true,
  );
}

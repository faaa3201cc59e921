import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LastingAnswer } from '../chat/viewStateProtocol';
import { configFile } from '../cli/personServers';
import { isJsonObject } from '../protocol/lazySchema';
import { resolveRealPath } from '../workFiles/realPath';
import type { ConversationPorts } from './conversationPorts';
import { configFolderOf } from './planFolder';

type Ports = Pick<ConversationPorts, 'folder' | 'hostEnvironment' | 'settings'>;

/** The settings files that the CLI reads rules from, absolute. Facts, section 2. */
export function settingsFiles(ports: Ports): Readonly<Record<LastingAnswer, string>> {
  const own = path.join(ports.folder?.path ?? '.', '.claude');
  return {
    alwaysLocal: path.join(own, 'settings.local.json'),
    alwaysProject: path.join(own, 'settings.json'),
    alwaysUser: path.join(configFolderOf(ports), 'settings.json'),
  };
}

/** A file in the home folder by its short name. */
export function shortHome(
  file: string,
  { hostEnvironment }: Pick<Ports, 'hostEnvironment'>,
): string {
  const home = hostEnvironment.HOME ?? os.homedir();
  const below = path.relative(home, file);
  const isBelow = home !== '' && below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  return isBelow ? path.join('~', below) : file;
}

/** What was read of a CLI's own configuration, by file, with the state of the file at that time. */
const read = new Map<string, { readonly state: string; readonly trusted: readonly string[] }>();

/**
 * Whether the CLI uses the rules of the folder's own project; undefined where that could not be
 * told. Fact, section 2: `projects[FOLDER].hasTrustDialogAccepted` in `.claude.json`.
 */
export async function isProjectTrusted(ports: Ports): Promise<boolean | undefined> {
  const { cliEnvironment } = ports.settings();
  const env = { ...ports.hostEnvironment, ...cliEnvironment };
  const file = configFile({ env, home: env.HOME ?? os.homedir() });
  try {
    const trusted = await trustedFolders(file);
    const folder = ports.folder?.path ?? '.';
    const wanted = [folder, await resolveRealPath(folder)].flatMap(withParents);
    return wanted.some((one) => trusted.includes(one));
  } catch {
    return undefined;
  }
}

/** Looks that are under way: many cards may come at once. */
const looking = new Map<string, Promise<readonly string[]>>();

function trustedFolders(file: string): Promise<readonly string[]> {
  const known = looking.get(file);
  if (known) return known;
  const look = readTrusted(file).finally(() => looking.delete(file));
  looking.set(file, look);
  return look;
}

async function readTrusted(file: string): Promise<readonly string[]> {
  const { mtimeMs, size } = await stat(file);
  const state = `${mtimeMs} ${size}`;
  const known = read.get(file);
  if (known?.state === state) return known.trusted;
  const config: unknown = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  const projects = isJsonObject(config) && isJsonObject(config.projects) ? config.projects : {};
  const trusted = Object.entries(projects).flatMap(([folder, entry]) =>
    isJsonObject(entry) && entry.hasTrustDialogAccepted === true ? [folder] : [],
  );
  read.set(file, { state, trusted });
  return trusted;
}

function withParents(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

import path from 'node:path';
import { pathBelow } from '../workFiles/pathBelow';
import type { LastingAnswer } from '../chat/viewStateProtocol';
import { isFolderTrusted, localSettings } from '../cli/ruleFiles';
import type { ConversationPorts } from './conversationPorts';
import { cliPlaces, configFolderOf } from './planFolder';

type Ports = Pick<ConversationPorts, 'folder' | 'hostEnvironment' | 'settings'>;

/** The settings files that the CLI reads rules from, absolute. Facts, section 2. */
export function settingsFiles(ports: Ports): Readonly<Record<LastingAnswer, string>> {
  const folder = ports.folder?.path ?? '.';
  return {
    alwaysLocal: localSettings(folder),
    alwaysProject: path.join(folder, '.claude', 'settings.json'),
    alwaysUser: path.join(configFolderOf(ports), 'settings.json'),
  };
}

/** A file in the home folder by its short name. */
export function shortHome(
  file: string,
  ports: Pick<Ports, 'hostEnvironment' | 'settings'>,
): string {
  const { home } = cliPlaces(ports);
  const below = home === '' ? '' : (pathBelow(home, file) ?? '');
  return below !== '' ? path.join('~', below) : file;
}

/** Looks that are under way, by folder and home: many cards may come at once. */
const looking = new Map<string, Promise<boolean>>();

/** Whether the CLI uses the allow rules of the folder's own project. Facts, section 2. */
export function isProjectTrusted(ports: Ports): Promise<boolean> {
  const { env, home } = cliPlaces(ports);
  const folder = ports.folder?.path ?? '.';
  const key = JSON.stringify([folder, home, env.CLAUDE_CONFIG_DIR]);
  const look =
    looking.get(key) ?? isFolderTrusted({ env, home }, folder).finally(() => looking.delete(key));
  looking.set(key, look);
  return look;
}

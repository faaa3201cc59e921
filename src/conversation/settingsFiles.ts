import os from 'node:os';
import path from 'node:path';
import type { LastingAnswer } from '../chat/viewStateProtocol';
import { isFolderTrusted } from '../cli/ruleFiles';
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

/** Whether the CLI uses the allow rules of the folder's own project. Facts, section 2. */
export async function isProjectTrusted(ports: Ports): Promise<boolean> {
  const env = { ...ports.hostEnvironment, ...ports.settings().cliEnvironment };
  return isFolderTrusted({ env, home: env.HOME ?? os.homedir() }, ports.folder?.path ?? '.');
}

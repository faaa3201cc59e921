import path from 'node:path';
import { homeOf } from '../cli/prepareCli';
import { configFolder } from '../cli/ruleFiles';
import type { ConversationPorts } from './conversationPorts';

type Ports = Pick<ConversationPorts, 'hostEnvironment' | 'settings'>;

/** What of the CLI's environment says where its files are. */
export function cliPlaces({ hostEnvironment, settings }: Ports): {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
} {
  const env = { ...hostEnvironment, ...settings().cliEnvironment };
  return { env, home: homeOf(env) };
}

/** The CLI's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in its home folder. */
export function configFolderOf(ports: Ports): string {
  return configFolder(cliPlaces(ports));
}

/** Where plan mode keeps its plan files; writing them is no write to the person's files. */
export function planFolderOf(ports: Ports): string {
  return path.join(configFolderOf(ports), 'plans');
}

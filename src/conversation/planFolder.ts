import path from 'node:path';
import { homeOf } from '../cli/prepareCli';
import { configFolder } from '../cli/configFolder';
import type { ConversationPorts } from './conversationPorts';

type Ports = Pick<ConversationPorts, 'hostEnvironment' | 'settings'>;
type Placed = Ports & Pick<ConversationPorts, 'folder'>;

/** What of the CLI's environment says where its files are. */
export function cliPlaces({ hostEnvironment, settings }: Ports): {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
} {
  const env = { ...hostEnvironment, ...settings().cliEnvironment };
  return { env, home: homeOf(env) };
}

/** The CLI's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in its home folder. */
export function configFolderOf(ports: Placed): string {
  return configFolder({ ...cliPlaces(ports), folder: ports.folder?.path });
}

/** Where plan mode keeps its plan files; writing them is no write to the person's files. */
export function planFolderOf(ports: Placed): string {
  return path.join(configFolderOf(ports), 'plans');
}

import path from 'node:path';
import { homeOf } from '../cli/prepareCli';

/** The CLI's own folder, of a CLI that is started with this environment. */
export function configFolderIn(env: Readonly<Record<string, string>>): string {
  return env.CLAUDE_CONFIG_DIR ?? path.join(homeOf(env), '.claude');
}

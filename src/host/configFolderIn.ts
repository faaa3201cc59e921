import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import { homeOf } from '../cli/prepareCli';
import { configFolder } from '../cli/configFolder';
import { windowServers } from './editorServers';

/** The CLI's own folder, of a CLI that is started in a folder with this environment. */
export function configFolderIn(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  return configFolder({ env, home: homeOf(env), folder });
}

/** The same of one that is started for the window. */
export function windowConfigFolder(context: ExtensionContext, log: Logger): string {
  const { env, cwd } = windowServers(context, log);
  return configFolderIn(env, cwd);
}

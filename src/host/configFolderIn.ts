import { homeOf } from '../cli/prepareCli';
import { configFolder } from '../cli/configFolder';

/** The CLI's own folder, of a CLI that is started in a folder with this environment. */
export function configFolderIn(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  return configFolder({ env, home: homeOf(env), folder });
}

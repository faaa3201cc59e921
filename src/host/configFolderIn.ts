import { homeOf } from '../cli/prepareCli';
import { configFolder } from '../cli/ruleFiles';

/** The CLI's own folder, of a CLI that is started with this environment. */
export function configFolderIn(env: Readonly<Record<string, string>>): string {
  return configFolder({ env, home: homeOf(env) });
}

import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import { homeOf } from '../cli/prepareCli';
import type { RuleFilesOptions } from '../cli/ruleFiles';
import { FileReadGuard } from '../conversation/fileReadGuard';
import type { ReadGuard } from '../editor/readGuard';
import { windowServers } from './editorServers';
import { workspaceRoots } from './workingFolder';

/** Where a CLI that is started now would look for its settings. */
export function ruleFilesOf(
  context: ExtensionContext,
  log: Logger,
): Pick<RuleFilesOptions, 'env' | 'home' | 'platform'> {
  const { env } = windowServers(context, log);
  return { env, home: homeOf(env), platform: process.platform };
}

/** For the editor's tools, which belong to no conversation: the settings files of all folders. */
export function createReadGuard(context: ExtensionContext, log: Logger): ReadGuard {
  return new FileReadGuard({ roots: workspaceRoots, where: () => ruleFilesOf(context, log) });
}

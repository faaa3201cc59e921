import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import { homeOf } from '../cli/prepareCli';
import type { RuleFilesOptions } from '../cli/ruleFiles';
import { FileReadGuard } from '../conversation/fileReadGuard';
import type { Conversation } from '../conversation/conversationPorts';
import { RunningRules } from '../conversation/runningRules';
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

/**
 * For the editor's tools, which belong to no conversation: the settings files of all folders, and
 * what the agents of the tracked conversations were given besides.
 */
export function createReadGuard(
  context: ExtensionContext,
  log: Logger,
): { readonly guard: ReadGuard; track<T extends Pick<Conversation, 'rules'>>(conversation: T): T } {
  const running = new RunningRules({ log, now: () => Date.now() });
  const guard = new FileReadGuard({
    roots: workspaceRoots,
    where: () => ruleFilesOf(context, log),
    running: () => running.denials(),
  });
  return { guard, track: (conversation) => running.track(conversation) };
}

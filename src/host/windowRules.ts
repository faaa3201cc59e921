import { type ExtensionContext, workspace } from 'vscode';
import type { Logger } from '../base/logger';
import { homeOf } from '../cli/prepareCli';
import type { RuleFilesOptions } from '../cli/ruleFiles';
import { FileReadGuard } from '../conversation/fileReadGuard';
import type { Conversation } from '../conversation/conversationPorts';
import { RunningRules } from '../conversation/runningRules';
import type { ReadGuard } from '../editor/readGuard';
import { windowServers } from './editorServers';
import { GitIgnored } from './gitIgnored';
import { everywhere } from './hostFields';
import { KeptBackFiles } from './keptBackFiles';
import { settings } from './settings';
import { createWindowGuard } from './windowGuard';
import { workspaceRoots } from './workingFolder';

/** Where a CLI that is started now would look for its settings. */
export function ruleFilesOf(
  context: ExtensionContext,
  log: Logger,
): Pick<RuleFilesOptions, 'env' | 'home' | 'platform'> {
  const { env } = windowServers(context, log);
  return { env, home: homeOf(env), platform: process.platform };
}

export interface WindowRules {
  readonly guard: ReadGuard;
  /** The glob of `patchbay.ignore` that covers a file, if one does. */
  ignored(file: string): Promise<string | undefined>;
  track<T extends Pick<Conversation, 'rules'>>(conversation: T): T;
}

/**
 * For the editor's tools, which belong to no conversation: the settings files of all folders, and
 * what the agents of the tracked conversations were given besides.
 */
export function createReadGuard(context: ExtensionContext, log: Logger): WindowRules {
  const running = new RunningRules({ log, now: () => Date.now() });
  const rules = new FileReadGuard({
    roots: workspaceRoots,
    where: () => ruleFilesOf(context, log),
    running: () => running.denials(),
  });
  const git = new GitIgnored({
    mayRun: () => workspace.isTrusted,
    env: () => windowServers(context, log).env,
    now: Date.now,
  });
  const kept = new KeptBackFiles({
    roots: workspaceRoots,
    globs: () => everywhere(settings.ignore, log),
    git,
    platform: process.platform,
  });
  context.subscriptions.push(
    git,
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.path.endsWith('/.gitignore')) git.forget();
    }),
  );
  return {
    guard: createWindowGuard(rules, kept),
    ignored: (file) => kept.ignoredBySetting(file),
    track: (conversation) => running.track(conversation),
  };
}

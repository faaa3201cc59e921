import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { topicLogger, type Logger } from '../base/logger';
import { useWatchdog } from '../cli/watchdog';

/** Before anything of the agent is started. It runs only while there is something to watch. */
export function useWatchdogOf(context: ExtensionContext, log: Logger): void {
  useWatchdog({
    file: path.join(context.extensionPath, 'dist', 'watchdog.cjs'),
    log: topicLogger(log, 'watchdog'),
  });
}

import type { Disposable } from '../base/disposable';
import type { Logger } from '../base/logger';
import { isFromFolder } from './stackPlace';

/**
 * Names what tool files leave behind: a promise that nobody waits for, an error in a timer. In the
 * editor's extension host neither ends anything; the editor only does not say whose it was.
 * @param folders absolute paths of the workspace folders
 */
export function watchStrayErrors(log: Logger, folders: () => readonly string[]): Disposable {
  const tell = (what: string, error: unknown): void => {
    if (folders().some((folder) => isFromFolder(error, folder))) {
      log.error(`A tool file left ${what}`, error);
    }
  };
  const rejected = (reason: unknown): void =>
    tell('a rejected promise that nobody waits for', reason);
  const thrown = (error: unknown): void => tell('an error that nobody caught', error);
  process.on('unhandledRejection', rejected);
  // Only looks: what else happens with such an error is the editor's business.
  process.on('uncaughtExceptionMonitor', thrown);
  return {
    dispose: () => {
      process.off('unhandledRejection', rejected);
      process.off('uncaughtExceptionMonitor', thrown);
    },
  };
}

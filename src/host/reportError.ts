import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { Logger } from '../base/logger';

/** Shows what could not be done. Only a {@link UserFacingError} is shown in its own words. */
export async function reportError(error: unknown, log: Logger, showLog: () => void): Promise<void> {
  if (error instanceof UserFacingError) {
    log.info(error.message);
    const parts = [error.message, error.kept, error.next].filter((part) => part !== undefined);
    await window.showWarningMessage(parts.join(' '));
    return;
  }
  log.error('Something failed', error);
  const open = l10n.t('Show log');
  const answer = await window.showErrorMessage(
    l10n.t('Patchbay could not do that. The reason is in its log.'),
    open,
  );
  if (answer === open) showLog();
}

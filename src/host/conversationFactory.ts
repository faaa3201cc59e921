import * as l10n from '@vscode/l10n';
import { type ExtensionContext } from 'vscode';
import { type Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { type Logger } from '../base/logger';
import { type Conversation } from '../conversation/conversationPorts';
import { type WorkingFolder } from './conversationPlace';
import { createRefusedConversation, type Refusal } from './refusedConversation';
import { isVirtualWorkspace } from './workingFolder';

/** Makes the conversations of this window. */
export interface ConversationFactory extends Disposable {
  /** Where there can be none, the conversation says why. Never throws. */
  create(folder: WorkingFolder): Conversation;
  /** Opens a terminal in which the CLI's own log-in runs. */
  login(): Promise<void>;
}

export function createConversations(
  _context: ExtensionContext,
  log: Logger,
): Promise<ConversationFactory> {
  return Promise.resolve({
    create: () => createRefusedConversation(isVirtualWorkspace() ? virtual() : broken('', log)),
    login: () => Promise.resolve(),
    dispose: () => undefined,
  });
}

function virtual(): Refusal {
  return {
    message: l10n.t('Patchbay cannot work in a virtual workspace.'),
    kept: l10n.t('What you type is kept.'),
    next: l10n.t('Open a folder on a disk, on this or on a remote machine.'),
  };
}

function broken(error: unknown, log: Logger): Refusal {
  log.error('A conversation could not be made', error);
  return {
    message: l10n.t('The conversation could not be loaded.'),
    kept: l10n.t('What you type is kept.'),
    next: l10n.t('Reload the window; if it happens again, install the extension again.'),
    details: errorMessage(error),
  };
}

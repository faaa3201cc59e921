import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import type { ConversationHub } from './conversationHub';

/** An agent that was started before the workspace was trusted goes on without its tools. */
export async function offerAllTools(
  hub: Pick<ConversationHub, 'all'>,
  newConversation: () => Promise<void>,
): Promise<void> {
  if (!hub.all.some((place) => place.isTouched)) return;
  const fresh = l10n.t('New conversation');
  const answer = await window.showInformationMessage(
    l10n.t('The workspace is trusted now. A new conversation has all tools.'),
    fresh,
  );
  if (answer === fresh) await newConversation();
}

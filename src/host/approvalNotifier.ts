import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { window } from 'vscode';
import type { Disposable } from '../base/disposable';
import { WORKSPACE_FILE } from '../cli/serverBook';
import type { ApprovalQuestion } from '../cli/workspaceApprovals';
import type { ApprovalCards } from './approvalCards';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';

/** Tells of a server that waits for approval where nobody sees its card; the answer is given there. */
export function notifyHiddenApprovals(
  cards: ApprovalCards,
  hub: ConversationHub,
  show: (place: ConversationPlace) => Promise<void>,
): Disposable {
  return cards.onDidAsk((question) => {
    const places = hub.all.filter((place) => place.folder?.path === question.folder);
    if (!places.some((place) => place.isVisible))
      void tell(question, show, places[0] ?? hub.active);
  });
}

async function tell(
  { name, folder, changed }: ApprovalQuestion,
  show: (place: ConversationPlace) => Promise<void>,
  place: ConversationPlace,
): Promise<void> {
  const review = l10n.t('Review');
  const where = path.basename(folder);
  const text = changed
    ? l10n.t(
        'The server {0} in {1} of {2} was changed since you approved it, and is not started.',
        name,
        WORKSPACE_FILE,
        where,
      )
    : l10n.t(
        '{1} of {2} brings a server for the agent, {0}. It is not started without your approval.',
        name,
        WORKSPACE_FILE,
        where,
      );
  const answer = await window.showWarningMessage(text, review);
  if (answer === review) await show(place);
}

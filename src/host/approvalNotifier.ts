import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { window } from 'vscode';
import type { Disposable } from '../base/disposable';
import { WORKSPACE_FILE } from '../cli/serverBook';
import type { ApprovalQuestion } from '../cli/workspaceApprovals';
import type { ToolFilesQuestion } from '../workspaceTools/toolFile';
import type { ApprovalCards } from './approvalCards';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';

type Show = (place: ConversationPlace) => Promise<void>;

/** Tells of what waits for approval where nobody sees its card; the answer is given there. */
export function notifyHiddenApprovals(
  cards: ApprovalCards,
  hub: ConversationHub,
  show: Show,
  mayTell: () => boolean,
): Disposable {
  /** One at a time of a folder's tool files: while it stands, what changes is on the card. */
  const told = new Set<string>();
  return cards.onDidAsk((asked) => {
    const places = hub.all.filter((place) => cards.isShownIn(asked, place.folder?.path));
    if (places.some((place) => place.isVisible) || !mayTell()) return;
    const place = places[0] ?? hub.active;
    if (asked.kind === 'server') {
      void tell(serverWords(asked.question), show, place);
      return;
    }
    const { folder } = asked.question;
    if (told.has(folder)) return;
    told.add(folder);
    void tell(toolFilesWords(asked.question), show, place).finally(() => told.delete(folder));
  });
}

async function tell(text: string, show: Show, place: ConversationPlace): Promise<void> {
  const review = l10n.t('Review');
  const answer = await window.showWarningMessage(text, review);
  if (answer === review) await show(place);
}

function serverWords({ name, folder, changed }: ApprovalQuestion): string {
  const where = path.basename(folder);
  return changed
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
}

function toolFilesWords({ folder, isFirst }: ToolFilesQuestion): string {
  const where = path.basename(folder);
  return isFirst
    ? l10n.t('{0} brings tools for the agent. They do not run without your approval.', where)
    : l10n.t(
        'Tool files of {0} were changed since you approved them, and do not run without your approval.',
        where,
      );
}

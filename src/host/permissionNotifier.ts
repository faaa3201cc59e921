import * as l10n from '@vscode/l10n';
import { window } from 'vscode';
import type { Disposable } from '../base/disposable';
import type { AskCard } from '../chat/askProtocol';
import { aboutOf } from '../chat/reduceAsks';
import type { PermissionCard } from '../chat/viewStateProtocol';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';

/**
 * Tells about a question that waits where nobody sees it. The card in the panel stays the place
 * where all can be decided; the notification offers the two plain answers.
 */
export function notifyHiddenPermissions(
  hub: ConversationHub,
  show: (place: ConversationPlace) => Promise<void>,
): Disposable {
  const told = new Set<string>();
  return hub.onDidChangeTurn((place) => {
    for (const card of place.turn.permissions) {
      if (told.has(card.id)) continue;
      told.add(card.id);
      // One that came back with the window is no news.
      if (!place.isVisible && card.interrupted !== true) void ask(place, card, show);
    }
    for (const card of place.turn.asks) {
      if (told.has(card.id)) continue;
      told.add(card.id);
      if (!place.isVisible && card.interrupted !== true) void tell(place, card, show);
    }
  });
}

async function ask(
  place: ConversationPlace,
  card: PermissionCard,
  show: (place: ConversationPlace) => Promise<void>,
): Promise<void> {
  const allow = l10n.t('Allow once');
  const deny = l10n.t('Deny');
  const look = l10n.t('Show');
  const { conversation } = place;
  const body = card.body.replace(/\s+/g, ' ').trim();
  const answer = await window.showInformationMessage(
    l10n.t('Permission request: {0} {1}', card.title, shorten(body)),
    ...(isPlain(card, body) ? [allow, deny] : []),
    look,
  );
  // By the time of the answer it may have been given in the panel; then this one is dropped there.
  if (answer === allow) conversation.answerPermission(card.id, 'allowOnce');
  else if (answer === deny) conversation.answerPermission(card.id, 'deny');
  else if (answer === look) await show(place);
}

/** A form is filled in where it stands. */
async function tell(
  place: ConversationPlace,
  card: AskCard,
  show: (place: ConversationPlace) => Promise<void>,
): Promise<void> {
  const look = l10n.t('Show');
  const about = aboutOf(card);
  const text =
    card.kind === 'questions' ? about : l10n.t('{0} asks: {1}', card.title, shorten(about));
  if ((await window.showInformationMessage(text, look)) === look) await show(place);
}

/** The notification cuts a long text: nothing is allowed there that cannot be seen as a whole. */
const MAX_BODY = 160;
/** What these ask cannot be answered by leave to go on. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

function isPlain(card: PermissionCard, body: string): boolean {
  return body.length <= MAX_BODY && card.diff === undefined && !QUESTIONS.has(card.toolName);
}

function shorten(body: string): string {
  return body.length > MAX_BODY ? `${body.slice(0, MAX_BODY - 1)}…` : body;
}

import * as l10n from '@vscode/l10n';
import { env, window } from 'vscode';
import type { Disposable } from '../base/disposable';
import type { AskCard } from '../chat/askProtocol';
import { aboutOf } from '../chat/reduceAsks';
import type { PermissionCard } from '../chat/viewStateProtocol';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import { canAnswerHere, notificationText } from './notificationText';

/** More than so many notifications at once are no help: the rest is counted in one. */
const MAX_OPEN = 3;

type Show = (place: ConversationPlace) => Promise<void>;

/**
 * Tells about a question that waits where nobody sees it. The card in the panel stays the place
 * where all can be decided; the notification offers the two plain answers.
 */
export function notifyHiddenPermissions(
  hub: ConversationHub,
  show: Show,
  mayTell: () => boolean,
): Disposable {
  const told = new Set<string>();
  const notices = new Notices(show);
  return hub.onDidChangeTurn((place) => {
    for (const card of place.turn.permissions) {
      if (told.has(card.id)) continue;
      told.add(card.id);
      if (isNews(place, card) && mayTell()) void notices.ask(place, card);
    }
    for (const card of place.turn.asks) {
      if (told.has(card.id)) continue;
      told.add(card.id);
      if (isNews(place, card) && mayTell()) void tell(place, card, show);
    }
  });
}

/** One that came back with the window is none. */
function isNews(place: ConversationPlace, card: PermissionCard | AskCard): boolean {
  return !place.isVisible && card.interrupted !== true;
}

class Notices {
  readonly #show: Show;
  readonly #open = new Map<ConversationPlace, number>();
  readonly #summed = new Set<ConversationPlace>();

  constructor(show: Show) {
    this.#show = show;
  }

  async ask(place: ConversationPlace, card: PermissionCard): Promise<void> {
    const open = this.#open.get(place) ?? 0;
    if (open >= MAX_OPEN) {
      await this.#sum(place);
      return;
    }
    this.#open.set(place, open + 1);
    try {
      await this.#askOne(place, card);
    } finally {
      this.#open.set(place, (this.#open.get(place) ?? 1) - 1);
    }
  }

  async #askOne(place: ConversationPlace, card: PermissionCard): Promise<void> {
    const allow = l10n.t('Allow once');
    const deny = l10n.t('Deny');
    const look = l10n.t('Show');
    const answer = await window.showInformationMessage(
      notificationText(card, env.remoteName),
      ...(canAnswerHere(card) ? [allow, deny] : []),
      look,
    );
    // By the time of the answer it may have been given in the panel, or the question was taken back:
    // then this one changes nothing.
    if (answer === allow) place.conversation.answerPermission(card.id, 'allowOnce');
    else if (answer === deny) place.conversation.answerPermission(card.id, 'deny');
    else if (answer === look) await this.#show(place);
  }

  async #sum(place: ConversationPlace): Promise<void> {
    if (this.#summed.has(place)) return;
    this.#summed.add(place);
    const look = l10n.t('Show');
    try {
      const text = l10n.t('More permission requests wait in the chat panel.');
      if ((await window.showInformationMessage(text, look)) === look) await this.#show(place);
    } finally {
      this.#summed.delete(place);
    }
  }
}

/** A form is filled in where it stands. */
async function tell(place: ConversationPlace, card: AskCard, show: Show): Promise<void> {
  const look = l10n.t('Show');
  if ((await window.showInformationMessage(toldOf(card), look)) === look) await show(place);
}

function toldOf(card: AskCard): string {
  const about = aboutOf(card);
  if (card.kind === 'questions') return about;
  const short = about.length > 160 ? `${about.slice(0, 159)}…` : about;
  return card.kind === 'plan'
    ? l10n.t('A plan waits for your answer: {0}', short)
    : l10n.t('{0} asks: {1}', card.title, short);
}

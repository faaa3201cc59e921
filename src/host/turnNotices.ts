import * as l10n from '@vscode/l10n';
import { commands, StatusBarAlignment, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/logger';
import { oneLine } from '../chat/boundedText';
import type { ApprovalCards } from './approvalCards';
import { notifyHiddenApprovals } from './approvalNotifier';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import { FinishedTurns, hiddenQuestions } from './finishedTurns';
import { currentSetting } from './hostFields';
import { notifyHiddenPermissions } from './permissionNotifier';
import { settings } from './settings';

/** Of the status bar's item only, so it stands in no list of commands. */
const SHOW_WAITING = '_patchbay.showWaiting';

export interface TurnNoticesOptions {
  readonly hub: ConversationHub;
  /** Undefined where the conversations could not be loaded. */
  readonly cards: ApprovalCards | undefined;
  readonly log: Logger;
  readonly show: (place: ConversationPlace) => Promise<void>;
}

export interface TurnNotices extends Disposable {
  /** To be called when a panel was shown or hidden. */
  seenChanged(): void;
}

/** Tells of conversations that nobody sees: what waits in them, and that they are done. */
export function watchTurns({ hub, cards, log, show }: TurnNoticesOptions): TurnNotices {
  const mayTell = (): boolean => {
    const when = currentSetting(settings.notifications, log);
    return when === 'always' || (when === 'whenUnfocused' && !window.state.focused);
  };
  const finished = new FinishedTurns<ConversationPlace>(Date.now, (place) => {
    if (mayTell()) void tellFinished(place, show);
  });
  const store = new DisposableStore();
  store.add(notifyHiddenPermissions(hub, show, mayTell));
  if (cards) store.add(notifyHiddenApprovals(cards, hub, show, mayTell));
  store.add(
    hub.onDidChangeTurn((place) => {
      finished.changed(place);
    }),
  );
  const bar = store.add(new WaitingItem(hub, show));
  store.add(
    hub.onDidChangeTurn(() => {
      bar.refresh();
    }),
  );
  return {
    seenChanged: () => {
      bar.refresh();
    },
    dispose: () => {
      store.dispose();
    },
  };
}

async function tellFinished(
  place: ConversationPlace,
  show: TurnNoticesOptions['show'],
): Promise<void> {
  const look = l10n.t('Show');
  const title = oneLine(place.turn.title, 80);
  const text =
    place.turn.kind === 'failed'
      ? l10n.t('The agent could not go on: {0}', title)
      : l10n.t('The agent is done: {0}', title);
  if ((await window.showInformationMessage(text, look)) === look) await show(place);
}

/** An item in the status bar while something waits where nobody sees it. */
class WaitingItem implements Disposable {
  readonly #hub: ConversationHub;
  readonly #item = window.createStatusBarItem(SHOW_WAITING, StatusBarAlignment.Left);
  readonly #command: Disposable;

  constructor(hub: ConversationHub, show: TurnNoticesOptions['show']) {
    this.#hub = hub;
    this.#item.name = l10n.t('Patchbay: questions of the agent');
    this.#item.command = SHOW_WAITING;
    this.#command = commands.registerCommand(SHOW_WAITING, async () => {
      const waiting = hiddenQuestions(hub.all);
      if (waiting) await show(waiting.first);
    });
  }

  refresh(): void {
    const waiting = hiddenQuestions(this.#hub.all);
    if (waiting === undefined) {
      this.#item.hide();
      return;
    }
    const words =
      waiting.count === 1
        ? l10n.t('The agent waits for your answer')
        : l10n.t('The agent waits for {0} answers', waiting.count);
    this.#item.text = `$(bell-dot) ${words}`;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
    this.#command.dispose();
  }
}

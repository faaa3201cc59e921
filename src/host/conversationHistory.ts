import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import {
  type ConversationRow,
  type ConversationsAnswer,
  MAX_TITLE,
} from '../chat/conversationsProtocol';
import type { ListedConversation } from '../sessions/conversationList';
import type { ChangeFolders } from './changeFolders';
import type { Instead } from './confirmEnd';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace, WorkingFolder } from './conversationPlace';

export interface HistoryPorts {
  readonly hub: Pick<ConversationHub, 'all' | 'ended'>;
  readonly log: Logger;
  /** What was before the changes of the conversations. */
  readonly changes: Pick<ChangeFolders, 'setAside' | 'bringBack'>;
  /** The CLI's own folder. */
  readonly configFolder: () => string;
  readonly show: (place: ConversationPlace) => Promise<void>;
  /** Whether a conversation whose agent works may be ended for it. */
  readonly mayEnd: (instead: Instead) => Promise<boolean>;
  readonly openTab: (sessionId: string, folder: WorkingFolder) => void;
}

export type HistoryActions = Pick<
  ConversationHistory,
  'list' | 'open' | 'openInTab' | 'rename' | 'delete' | 'undelete'
>;

/** What goes with the list beside its rows. */
type Told = Pick<Extract<ConversationsAnswer, { kind: 'list' }>, 'deleted' | 'problem'>;

/** The past conversations of a folder, those of the terminal too. */
export class ConversationHistory {
  readonly #ports: HistoryPorts;

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
  }

  /** Never rejects. */
  async list(place: ConversationPlace, told: Told = {}): Promise<ConversationsAnswer> {
    const { folder } = place;
    if (folder === undefined) {
      const reason = l10n.t('Conversations belong to a folder: open one to see those that it has.');
      return { kind: 'failed', reason };
    }
    try {
      const { listConversations } = await import('../sessions/conversationList');
      const configFolder = this.#ports.configFolder();
      const listed = await listConversations({ configFolder, cwd: folder.path });
      return { kind: 'list', rows: listed.map((one) => this.#row(one, place)), ...told };
    } catch (error) {
      this.#ports.log.error('The conversations on disk could not be listed', error);
      const reason = l10n.t('The conversations could not be read: {0}', errorMessage(error));
      return { kind: 'failed', reason };
    }
  }

  /**
   * Shows a past conversation in this place; one that is open in another place of the window is
   * shown there, since two processes on one session would split it. One that was just left still
   * writes what it was told last: read before that, it would be told so again.
   */
  async open(place: ConversationPlace, sessionId: string): Promise<void> {
    await this.#ports.hub.ended();
    // Looked up without a wait behind it: pressed twice it must not be opened twice.
    if (this.#holder(sessionId)) return this.#showHolder(sessionId);
    if (place.isWorking && !(await this.#ports.mayEnd('past'))) return;
    // It may have been opened elsewhere while the person was asked.
    if (this.#holder(sessionId)) return this.#showHolder(sessionId);
    place.resume(sessionId);
    place.send({ type: 'focusInput' });
  }

  /** All that a call of the place's conversation gave back; undefined where it is not on the disk. */
  async result(place: ConversationPlace, toolUseId: string): Promise<string | undefined> {
    const { folder, sessionId } = place;
    if (folder === undefined || sessionId === undefined) return undefined;
    const { readStoredResult } = await import('../sessions/storedResult');
    const configFolder = this.#ports.configFolder();
    return readStoredResult({ configFolder, cwd: folder.path, sessionId }, toolUseId);
  }

  /** The same in an editor tab of its own. What is here goes on. */
  async openInTab(place: ConversationPlace, sessionId: string): Promise<void> {
    await this.#ports.hub.ended();
    if (this.#holder(sessionId)) return this.#showHolder(sessionId);
    this.#ports.openTab(sessionId, place.folder);
  }

  /** Never rejects. */
  rename(place: ConversationPlace, sessionId: string, title: string): Promise<ConversationsAnswer> {
    const name = cutText(title.replace(/\s+/g, ' ').trim(), MAX_TITLE);
    if (name === '') return this.list(place);
    return this.#try(place, async () => {
      const holder = this.#holder(sessionId);
      if ((await holder?.conversation.rename(name)) === true) return {};
      const file = await this.#fileOf(place, sessionId);
      if (file === undefined) return { problem: notThere() };
      const { renameConversation } = await import('../sessions/renameConversation');
      await renameConversation(file, name);
      holder?.conversation.setFields({ title: name });
      return {};
    });
  }

  /** Moves it aside. Never rejects. */
  delete(
    place: ConversationPlace,
    { sessionId, title }: { readonly sessionId: string; readonly title: string },
  ): Promise<ConversationsAnswer> {
    return this.#try(place, async () => {
      const holder = this.#holder(sessionId);
      if (holder && holder !== place) {
        return { problem: l10n.t('It is open in another tab: close that first.') };
      }
      const file = await this.#fileOf(place, sessionId);
      if (file === undefined) return { problem: notThere() };
      if (holder) {
        if (place.isWorking && !(await this.#ports.mayEnd('nothing'))) return {};
        place.beginAgain();
        // A process that is ending still writes, and would make the file anew.
        await this.#ports.hub.ended();
      }
      const { deleteConversation, purgeDeleted } = await import('../sessions/deletedConversations');
      const configFolder = this.#ports.configFolder();
      await purgeDeleted(configFolder, Date.now());
      await deleteConversation(configFolder, file, Date.now());
      await this.#ports.changes.setAside(sessionId);
      return { deleted: { sessionId, title } };
    });
  }

  /** Brings one back that was deleted. Never rejects. */
  undelete(place: ConversationPlace, sessionId: string): Promise<ConversationsAnswer> {
    return this.#try(place, async () => {
      const { undeleteConversation } = await import('../sessions/deletedConversations');
      const isBack = await undeleteConversation(this.#ports.configFolder(), sessionId);
      if (isBack) await this.#ports.changes.bringBack(sessionId);
      return isBack ? {} : { problem: notThere() };
    });
  }

  async #try(place: ConversationPlace, act: () => Promise<Told>): Promise<ConversationsAnswer> {
    try {
      return await this.list(place, await act());
    } catch (error) {
      this.#ports.log.error('A conversation on disk could not be changed', error);
      const problem = l10n.t('That could not be done: {0}', errorMessage(error));
      return this.list(place, { problem });
    }
  }

  /** Of a conversation of the place's own folder only. */
  async #fileOf(place: ConversationPlace, sessionId: string): Promise<string | undefined> {
    const { folder } = place;
    if (folder === undefined) return undefined;
    const { listConversations } = await import('../sessions/conversationList');
    const where = { configFolder: this.#ports.configFolder(), cwd: folder.path };
    return (await listConversations(where)).find((one) => one.sessionId === sessionId)?.file;
  }

  #holder(sessionId: string): ConversationPlace | undefined {
    return this.#ports.hub.all.find((each) => each.sessionId === sessionId);
  }

  async #showHolder(sessionId: string): Promise<void> {
    const holder = this.#holder(sessionId);
    if (!holder) return;
    await this.#ports.show(holder);
    holder.send({ type: 'focusInput' });
  }

  #row(listed: ListedConversation, place: ConversationPlace): ConversationRow {
    const { sessionId, title, firstPrompt = '', changedAt } = listed;
    const holder = this.#holder(sessionId);
    const name = title ?? firstPrompt;
    return {
      sessionId,
      changedAt,
      title: name === '' ? l10n.t('Without a title') : name,
      ...(title === undefined || title === firstPrompt ? {} : { about: firstPrompt }),
      ...(holder === undefined ? {} : { open: holder === place ? 'here' : 'elsewhere' }),
    };
  }
}

function notThere(): string {
  return l10n.t('This conversation is not on the disk any more.');
}

import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { ConversationRow, ConversationsAnswer } from '../chat/conversationsProtocol';
import type { ListedConversation } from '../sessions/conversationList';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';

export interface HistoryPorts {
  readonly hub: Pick<ConversationHub, 'all'>;
  readonly log: Logger;
  /** The CLI's own folder. */
  readonly configFolder: () => string;
  readonly show: (place: ConversationPlace) => Promise<void>;
  /** Whether a conversation whose agent works may be ended for another. */
  readonly mayEnd: () => Promise<boolean>;
}

/** The past conversations of a folder, those of the terminal too. */
export class ConversationHistory {
  readonly #ports: HistoryPorts;

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
  }

  /** Never rejects. */
  async list(place: ConversationPlace): Promise<ConversationsAnswer> {
    const { folder } = place;
    if (folder === undefined) {
      const reason = l10n.t('Conversations belong to a folder: open one to see those that it has.');
      return { kind: 'failed', reason };
    }
    try {
      const { listConversations } = await import('../sessions/conversationList');
      const configFolder = this.#ports.configFolder();
      const listed = await listConversations({ configFolder, cwd: folder.path });
      return { kind: 'list', rows: listed.map((one) => this.#row(one, place)) };
    } catch (error) {
      this.#ports.log.error('The conversations on disk could not be listed', error);
      const reason = l10n.t('The conversations could not be read: {0}', errorMessage(error));
      return { kind: 'failed', reason };
    }
  }

  /**
   * Shows a past conversation in this place; one that is open in another place of the window is
   * shown there, since two processes on one session would split it.
   */
  async open(place: ConversationPlace, sessionId: string): Promise<void> {
    const other = this.#ports.hub.all.find((each) => each.sessionId === sessionId);
    if (other) {
      await this.#ports.show(other);
      other.send({ type: 'focusInput' });
      return;
    }
    if (place.isRunning && !(await this.#ports.mayEnd())) return;
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

  #row(listed: ListedConversation, place: ConversationPlace): ConversationRow {
    const { sessionId, title, firstPrompt = '', changedAt } = listed;
    const holder = this.#ports.hub.all.find((each) => each.sessionId === sessionId);
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

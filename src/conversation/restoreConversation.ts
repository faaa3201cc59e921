import * as l10n from '@vscode/l10n';
import { errorMessage } from '../base/errors';
import type { ChatEvent, RestoredMessage } from '../chat/chatEvent';
import type { QueuedPrompt } from '../chat/viewStateProtocol';
import type { ConversationPorts, KeptConversation } from './conversationPorts';
import type { ConversationImages } from './conversationImages';
import type { SaidSelections } from './saidSelections';
import { configFolderOf } from './planFolder';
import { readSelection, shownSelection } from './promptParts';
import { growthSince } from './sessionGrowth';
import type { StoredMessage } from '../sessions/recordMessage';

/** What came back of a conversation. */
export interface RestoredConversation {
  /** The session to go on with; undefined where the disk no longer has it. */
  readonly sessionId: string | undefined;
  /** Draws it, or says why there is nothing to draw. */
  readonly events: readonly ChatEvent[];
  /** Prompts that wait again: what had waited, and what the CLI had not taken up. */
  readonly queue: readonly QueuedPrompt[];
  /** Whether somebody else went on with the session since. */
  readonly hasGrown: () => Promise<boolean>;
}

/** What went with messages, for who says them again. */
interface RestoredParts {
  readonly images: Pick<ConversationImages, 'keep'>;
  readonly selections: Pick<SaidSelections, 'keep'>;
}

/**
 * Reads a conversation back from the disk, before any process is started. Never rejects: what cannot
 * be read is told by a quiet line, and the conversation begins anew.
 */
export async function restoreConversation(
  ports: ConversationPorts,
  kept: KeptConversation,
  known: RestoredParts,
): Promise<RestoredConversation> {
  const { sessionId } = kept;
  for (const prompt of [...kept.sent, ...kept.queue]) known.selections.keep(prompt);
  const nothing = { sessionId: undefined, events: [], hasGrown: () => Promise.resolve(false) };
  if (sessionId === undefined) return { ...nothing, queue: [...kept.sent, ...kept.queue] };
  const stored = await read(ports, sessionId);
  if (!stored) {
    const text = l10n.t('The last conversation was not found on disk. A new one begins here.');
    return {
      ...nothing,
      events: [{ type: 'notice', text }],
      queue: [...kept.sent, ...kept.queue],
    };
  }
  const { title, isInterrupted, isCut } = stored;
  const messages = stored.messages.map((row) => withParts(row, known, ports.folder?.path ?? ''));
  const { usage } = kept;
  const note = kept.forkOf === undefined ? undefined : forkedFrom(kept.forkOf);
  const prompts = new Set(messages.flatMap((row) => (row.type === 'user' ? (row.uuid ?? []) : [])));
  return {
    sessionId,
    events: [{ type: 'restored', messages, title, isInterrupted, isCut, usage, note }],
    queue: [...kept.sent.filter(({ wireId }) => !prompts.has(wireId)), ...kept.queue],
    hasGrown: growthSince(stored.file, stored.size),
  };
}

function forkedFrom(title: string): string {
  return l10n.t(
    'This is a fork of “{0}”, which is kept under Conversations. Files stay as they are now.',
    title,
  );
}

function withParts(
  row: StoredMessage,
  { images, selections }: RestoredParts,
  folder: string,
): RestoredMessage {
  if (row.type !== 'user' || !('pictures' in row)) return row;
  const { pictures, selection: told, ...message } = row;
  const selection = told && readSelection(told, folder);
  const expansion = selection && [shownSelection(selection)];
  if (message.uuid !== undefined) selections.keep({ id: message.uuid, selection });
  return { ...message, images: images.keep(pictures), ...(expansion && { expansion }) };
}

async function read(ports: ConversationPorts, sessionId: string) {
  if (!ports.folder) return undefined;
  try {
    const { readConversationFile } = await import('../sessions/conversationFile');
    const stored = await readConversationFile({
      configFolder: configFolderOf(ports),
      cwd: ports.folder.path,
      sessionId,
    });
    if (stored && stored.brokenLines > 0) {
      ports.log.warn(`Lines of the conversation on disk that are broken: ${stored.brokenLines}`);
    }
    return stored;
  } catch (error) {
    ports.log.warn(`The conversation on disk could not be read: ${errorMessage(error)}`);
    return undefined;
  }
}

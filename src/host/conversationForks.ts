import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import { type ForkPoint, forkPoint, forkTitle } from '../chat/forkPoint';
import type { ImageRef } from '../chat/imageProtocol';
import type { ForkedConversation } from '../sessions/forkFile';
import type { ConversationPlace } from './conversationPlace';
import type { ImageStore } from './imageStore';

export interface ForkPorts {
  /** The CLI's own folder. */
  readonly configFolder: () => string;
  /** Whether the agent of the place, which works, may be stopped for the fork. */
  readonly mayEnd: () => Promise<boolean>;
  readonly images: Pick<ImageStore, 'ref' | 'put'>;
}

/** What became of words that go into a fork. */
export type ForkOutcome =
  | { readonly accepted: true }
  /** The person would rather not, or `reason` says why not. The words stay where they are. */
  | { readonly accepted: false; readonly reason?: string };

export type ForkActions = Pick<ConversationForks, 'forkHere' | 'resend' | 'retryAnswer'>;

/** Goes on from an earlier point of a conversation in a copy of its beginning. The original is kept. */
export class ConversationForks {
  readonly #ports: ForkPorts;
  /** One at a time in a place: a second press means the same. */
  readonly #forking = new Set<ConversationPlace>();

  constructor(ports: ForkPorts) {
    this.#ports = ports;
  }

  /** Of a prompt the words come into the input; an answer is kept. @throws UserFacingError */
  async forkHere(place: ConversationPlace, itemId: string): Promise<void> {
    const point = pointIn(place, itemId);
    const images = await this.#keepImages(place, point);
    if (!(await this.#fork(place, point))) return;
    const { prompt: text } = point;
    if (text !== undefined) place.send({ type: 'insertText', text, ...(images && { images }) });
    place.send({ type: 'focusInput' });
  }

  /** Says something else in the place of a prompt, in a fork. Never rejects. */
  async resend(
    place: ConversationPlace,
    { itemId, promptId, text }: { itemId: string; promptId: string; text: string },
  ): Promise<ForkOutcome> {
    let images: readonly ImageRef[] | undefined;
    const selection = place.conversation.selection(itemId);
    try {
      const point = pointIn(place, itemId);
      if (text.trim() === '' && point.images === undefined) {
        return { accepted: false, reason: l10n.t('Type a message first.') };
      }
      images = await this.#keepImages(place, point);
      if (!(await this.#fork(place, point))) return { accepted: false };
    } catch (error) {
      return { accepted: false, reason: reasonOf(error) };
    }
    const outcome = await place.submit(promptId, text, {
      ...(images && { images }),
      ...(selection && { selection }),
    });
    if (outcome.accepted) return outcome;
    // The fork is there by now, and with it another transcript: the words go into its input.
    place.send({ type: 'insertText', text });
    place.send({ type: 'submitted', promptId, refused: outcome.reason });
    return { accepted: true };
  }

  /** Asks for the last answer once more, in a fork. @throws UserFacingError */
  async retryAnswer(place: ConversationPlace, promptId: string): Promise<void> {
    const last = place.conversation.snapshot().items.findLast(({ kind }) => kind === 'user');
    if (last?.kind !== 'user') throw notThere();
    const outcome = await this.resend(place, { itemId: last.id, promptId, text: last.text });
    if (outcome.accepted || outcome.reason === undefined) return;
    throw new UserFacingError(outcome.reason);
  }

  /**
   * The pictures of a prompt, for a conversation that comes after this one: those that only the file of
   * this one has are kept as if they were attached anew.
   * @throws UserFacingError where one is gone
   */
  async #keepImages(
    { conversation }: ConversationPlace,
    { images }: ForkPoint,
  ): Promise<readonly ImageRef[] | undefined> {
    for (const { id, name } of images ?? []) {
      if (this.#ports.images.ref(id) !== undefined) continue;
      const picture = await conversation.picture(id);
      if (picture === undefined) {
        throw new UserFacingError(l10n.t('The picture {0} is not there any more.', name), {
          next: l10n.t('Nothing was changed.'),
        });
      }
      this.#ports.images.put({ id, name, data: picture.data });
    }
    return images;
  }

  /** @returns false where the person would rather go on with what runs */
  async #fork(place: ConversationPlace, { before }: ForkPoint): Promise<boolean> {
    if (this.#forking.has(place)) return false;
    this.#forking.add(place);
    try {
      const { conversation } = place;
      if (place.isWorking && !(await this.#ports.mayEnd())) return false;
      const { title } = conversation.snapshot();
      const forked = await this.#copy(place, { before, title: forkTitle(title) });
      // While it was copied something else may have come into the place.
      if (place.conversation !== conversation) return false;
      if (forked.kind === 'none') place.beginAgain();
      else place.resume(forked.sessionId, { forkOf: title });
      return true;
    } finally {
      this.#forking.delete(place);
    }
  }

  async #copy(
    { folder, sessionId }: ConversationPlace,
    cut: { readonly before: readonly string[]; readonly title: string },
  ): Promise<ForkedConversation> {
    // It has not got as far as to have a file: there is nothing that a fork would keep.
    if (folder === undefined || sessionId === undefined) return { kind: 'none' };
    const { forkConversation } = await import('../sessions/forkFile');
    const key = { configFolder: this.#ports.configFolder(), cwd: folder.path, sessionId };
    const forked = await forkConversation(key, cut);
    if (!forked) throw notThere();
    return forked;
  }
}

function pointIn(place: ConversationPlace, itemId: string): ForkPoint {
  const point = forkPoint(place.conversation.snapshot().items, itemId);
  if (!point) throw notThere();
  return point;
}

function notThere(): UserFacingError {
  return new UserFacingError(l10n.t('This part of the conversation was not found on disk.'), {
    next: l10n.t('Nothing was changed.'),
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof UserFacingError) {
    return [error.message, error.next].filter((part) => part !== undefined).join(' ');
  }
  return l10n.t('The fork could not be made: {0}', errorMessage(error));
}

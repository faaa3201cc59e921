import * as l10n from '@vscode/l10n';
import { UserFacingError } from '../base/errors';
import type { ImageRef } from '../chat/imageProtocol';
import { MAX_IMAGES, MAX_IMAGES_BYTES } from '../chat/imageProtocol';
import { formatBytes } from '../chat/toolResult';
import type { GivenFile, ViewMessage } from '../chat/viewProtocol';
import type { DirectMessage } from '../conversation/viewPump';
import type { ConversationPlace } from './conversationPlace';
import type { ImageStore } from './imageStore';

/** What was chosen or dropped. */
export interface FoundFiles {
  /** To be looked at by the view, which can scale them. */
  readonly pictures: readonly GivenFile[];
  /** The others, as mentions. */
  readonly mentions: readonly string[];
}

export interface AttachPorts {
  readonly images: Pick<ImageStore, 'put' | 'ref' | 'know' | 'remove' | 'file'>;
  /** Lets the person choose; nothing where they chose none. */
  choose(place: ConversationPlace): Promise<FoundFiles>;
  find(uris: readonly string[], place: ConversationPlace): Promise<FoundFiles>;
  /** The mention of the lines that a text was copied from in an editor; undefined for other text. */
  pasted(text: string, place: ConversationPlace): Promise<string | undefined>;
  /** Shows a picture in an editor. */
  readonly openPicture: (file: string) => Promise<void>;
}

type AttachMessage = Extract<
  ViewMessage,
  {
    type:
      | 'attach'
      | 'detach'
      | 'loadPicture'
      | 'openPicture'
      | 'chooseFiles'
      | 'dropFiles'
      | 'pastedText';
  }
>;

/** What goes with a message, between one view and the host. */
export class ViewAttachments {
  readonly #place: ConversationPlace;
  readonly #ports: AttachPorts;
  readonly #send: (message: DirectMessage) => void;

  constructor(
    place: ConversationPlace,
    ports: AttachPorts,
    send: (message: DirectMessage) => void,
  ) {
    this.#place = place;
    this.#ports = ports;
    this.#send = send;
  }

  async handle(message: AttachMessage): Promise<void> {
    switch (message.type) {
      case 'attach':
        this.#attach(message);
        return;
      case 'detach':
        return this.#ports.images.remove(message.id);
      case 'loadPicture':
        return this.#load(message.id);
      case 'openPicture':
        return this.#open(message.id);
      case 'chooseFiles':
        this.#give(await this.#ports.choose(this.#place));
        return;
      case 'pastedText': {
        const { pasteId, text } = message;
        const mention = await this.#ports.pasted(text, this.#place);
        if (mention !== undefined) this.#send({ type: 'pastedCode', pasteId, mention });
        return;
      }
      case 'dropFiles':
        this.#give(await this.#ports.find(message.uris, this.#place));
    }
  }

  /** The draft has just these, in this order. */
  draft(ids: readonly string[], box?: string): void {
    this.#place.attached(this.refs(ids), box);
  }

  /** Those that are known here. */
  refs(ids: readonly string[] = []): readonly ImageRef[] {
    return ids.flatMap((id) => this.#ports.images.ref(id) ?? []);
  }

  /** Why a message with these cannot go. */
  refusal(images: readonly ImageRef[], asked: number): string | undefined {
    if (images.length < asked) {
      return l10n.t('A picture is not there any more. Attach it once more.');
    }
    if (images.length > MAX_IMAGES) {
      return l10n.t('A message can have {0} pictures at most.', MAX_IMAGES);
    }
    const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
    if (bytes <= MAX_IMAGES_BYTES) return undefined;
    return l10n.t(
      'The pictures are too much for one message: {0}; at most {1} can be sent.',
      formatBytes(bytes),
      formatBytes(MAX_IMAGES_BYTES),
    );
  }

  #attach(message: Extract<AttachMessage, { type: 'attach' }>): void {
    const { id } = message;
    try {
      this.#ports.images.put(message);
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      this.#send({ type: 'attachRefused', id, reason: error.message });
    }
  }

  async #load(id: string): Promise<void> {
    const picture = await this.#place.conversation.picture(id);
    this.#send({ type: 'picture', id, ...(picture ? { picture } : {}) });
  }

  async #open(id: string): Promise<void> {
    const { images, openPicture } = this.#ports;
    const picture = await this.#place.conversation.picture(id);
    if (picture === undefined) {
      throw new UserFacingError(l10n.t('The picture is not there any more.'));
    }
    // One that the CLI's file has gets a file of its own, so that an editor can show it.
    if (images.ref(id) === undefined) {
      images.put({ id, name: id, data: picture.data });
    }
    const file = await images.file(id);
    if (file !== undefined) await openPicture(file);
  }

  #give({ pictures, mentions }: FoundFiles): void {
    if (pictures.length > 0) this.#send({ type: 'attachFiles', files: pictures });
    if (mentions.length > 0) {
      this.#send({ type: 'insertText', text: `${mentions.join(' ')} `, inline: true });
    }
  }
}

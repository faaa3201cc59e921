import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { UserFacingError } from '../base/errors';
import { IMAGE_HEAD, type ImageRef, type ImageType, imageTypeOf } from '../chat/imageProtocol';
import type { PromptBlock } from '../protocol/outboundRequests';

/** Where pictures of messages are kept that were not sent yet. */
export interface ImagesPort {
  /** Undefined where it is gone. Never rejects. */
  read(id: string): Promise<Uint8Array | undefined>;
}

/** A picture as the CLI's file has it. */
export interface StoredPicture {
  /** Base64. */
  readonly data: string;
}

/** As it goes to a view. */
export interface Picture {
  readonly mediaType: ImageType;
  /** Base64. */
  readonly data: string;
}

/** Characters of base64 that are kept of a conversation from the disk: the last pictures of it. */
const MAX_KEPT = 64 * 1024 * 1024;

/** The pictures of one conversation: those that wait or were sent, and those that its file has. */
export class ConversationImages {
  readonly #port: ImagesPort | undefined;
  readonly #kept = new Map<string, Picture>();
  #size = 0;

  constructor(port: ImagesPort | undefined) {
    this.#port = port;
  }

  /** Those that can be drawn. Where there are too many the first ones are let go of. */
  keep(stored: readonly StoredPicture[]): readonly ImageRef[] {
    return stored.flatMap(({ data }, index) => {
      const mediaType = typeOf(data);
      if (mediaType === undefined) return [];
      const id = randomUUID();
      this.#kept.set(id, { mediaType, data });
      this.#size += data.length;
      this.#shrink();
      const name = l10n.t('Picture {0}', index + 1);
      return { id, name, mediaType, bytes: Math.floor((data.length * 3) / 4) };
    });
  }

  /** Undefined where it is not there any more. Never rejects. */
  async read(id: string): Promise<Picture | undefined> {
    const kept = this.#kept.get(id);
    if (kept) return kept;
    const bytes = await this.#port?.read(id);
    const mediaType = bytes && imageTypeOf(bytes.subarray(0, IMAGE_HEAD));
    return bytes && mediaType && { mediaType, data: Buffer.from(bytes).toString('base64') };
  }

  /**
   * As the CLI takes them.
   * @throws UserFacingError where one is gone
   */
  async blocks(images: readonly ImageRef[]): Promise<readonly PromptBlock[]> {
    return Promise.all(
      images.map(async ({ id, name }): Promise<PromptBlock> => {
        const picture = await this.read(id);
        if (picture === undefined) {
          throw new UserFacingError(l10n.t('The picture {0} is not there any more.', name), {
            next: l10n.t('Attach it once more.'),
          });
        }
        const { mediaType, data } = picture;
        return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
      }),
    );
  }

  #shrink(): void {
    for (const [id, { data }] of this.#kept) {
      if (this.#size <= MAX_KEPT) return;
      this.#kept.delete(id);
      this.#size -= data.length;
    }
  }
}

function typeOf(data: string): ImageType | undefined {
  return imageTypeOf(Buffer.from(data.slice(0, IMAGE_HEAD * 2), 'base64'));
}

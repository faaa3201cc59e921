import * as l10n from '@vscode/l10n';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, UserFacingError } from '../base/errors';
import type { Logger } from '../base/logger';
import { replaceFile } from '../workFiles/replaceFile';
import {
  IMAGE_HEAD,
  imageEnding,
  type ImageRef,
  imageTypeOf,
  MAX_IMAGE_BYTES,
  unreadableImage,
} from '../chat/imageProtocol';
import { formatBytes } from '../chat/toolResult';

/** A picture as a view hands it in. */
export interface GivenImage {
  readonly id: string;
  readonly name: string;
  /** Base64. */
  readonly data: string;
  /** Absent where nobody has looked. */
  readonly width?: number;
  readonly height?: number;
}

export interface ImageStoreOptions {
  /** The first is ours, and written; what another host of this workspace has left is read. */
  readonly folders: readonly [string, ...string[]];
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * How long a picture of nobody stays, in milliseconds: the same workspace in another window may have
 * it in a draft that we do not know.
 */
const STRAY_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The pictures of drafts and of messages that wait, one file each: they are kept over a reload, a
 * restart and a kill, as the words beside them are. Looked at here as well, since the CLI replaces a
 * picture that it cannot read without a word.
 */
export class ImageStore {
  readonly #options: ImageStoreOptions;
  readonly #refs = new Map<string, ImageRef>();
  /** Bytes that are on their way to the disk, or did not get there, by id. */
  readonly #held = new Map<string, Buffer>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(options: ImageStoreOptions) {
    this.#options = options;
  }

  /**
   * Keeps a picture; it can be read at once.
   * @throws UserFacingError for what cannot be sent
   */
  put({ id, name, data, width, height }: GivenImage): ImageRef {
    const bytes = Buffer.from(data, 'base64');
    const mediaType = imageTypeOf(bytes.subarray(0, IMAGE_HEAD));
    if (mediaType === undefined) throw new UserFacingError(unreadableImage(name, bytes));
    if (bytes.length > MAX_IMAGE_BYTES) {
      throw new UserFacingError(
        l10n.t(
          '{0} has {1}; a picture may have {2} at most.',
          name,
          formatBytes(bytes.length),
          formatBytes(MAX_IMAGE_BYTES),
        ),
      );
    }
    const size = width === undefined ? {} : { width, height };
    const ref = { id, name, mediaType, bytes: bytes.length, ...size };
    this.#refs.set(id, ref);
    this.#held.set(id, bytes);
    const written = this.#write(ref, bytes).finally(() => this.#writing.delete(id));
    this.#writing.set(id, written);
    return ref;
  }

  /** Makes pictures known that were kept before. */
  know(refs: readonly ImageRef[]): void {
    for (const ref of refs) this.#refs.set(ref.id, ref);
  }

  /** Undefined for what was never kept here. */
  ref(id: string): ImageRef | undefined {
    return this.#refs.get(id);
  }

  /** Undefined where it is gone. Never rejects. */
  async read(id: string): Promise<Uint8Array | undefined> {
    const held = this.#held.get(id);
    if (held) return held;
    const file = await this.file(id);
    return file === undefined ? undefined : readFile(file).catch(() => undefined);
  }

  /** The file that holds it, once it is written; undefined where there is none. */
  async file(id: string): Promise<string | undefined> {
    await this.#writing.get(id);
    const ref = this.#refs.get(id);
    if (ref === undefined) return undefined;
    for (const folder of this.#options.folders) {
      const file = path.join(folder, fileName(ref));
      if (await isFile(file)) return file;
    }
    return undefined;
  }

  /** Lets go of what nobody names any more. Never rejects. */
  async sweep(isNamed: (id: string) => boolean): Promise<void> {
    const [folder] = this.#options.folders;
    const before = this.#options.now() - STRAY_MS;
    for (const name of await readdir(folder).catch(() => [])) {
      if (isNamed(path.parse(name).name)) continue;
      const file = path.join(folder, name);
      const changed = await stat(file).catch(() => undefined);
      if (changed && changed.mtimeMs < before)
        await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** Takes out what the person has taken out of a message that was never sent. */
  async remove(id: string): Promise<void> {
    const file = await this.file(id);
    this.#held.delete(id);
    this.#refs.delete(id);
    if (file !== undefined) await rm(file, { force: true }).catch(() => undefined);
  }

  /** Resolves when all is on the disk, or could not be written (logged). */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(ref: ImageRef, bytes: Buffer): Promise<void> {
    const [folder] = this.#options.folders;
    const file = path.join(folder, fileName(ref));
    try {
      await mkdir(folder, { recursive: true });
      await replaceFile(file, bytes);
      this.#held.delete(ref.id);
    } catch (error) {
      this.#options.log.warn(`A picture could not be saved: ${errorMessage(error)}`);
    }
  }
}

function fileName({ id, mediaType }: ImageRef): string {
  return `${id}.${imageEnding(mediaType)}`;
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A picture as it came over the wire: base64. */
export interface ImageData {
  readonly mediaType: string;
  readonly data: string;
}

/** Characters of base64 that are kept for one conversation. */
const LIMIT = 64 * 1024 * 1024;

/**
 * The pictures of a conversation's results, by their calls. They are no part of the state, which is
 * copied for every view; a view asks for one when it draws it. The oldest go when it is too much.
 */
export class ImageShelf {
  readonly #limit: number;
  readonly #images = new Map<string, readonly ImageData[]>();
  #size = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  put(toolUseId: string, images: readonly ImageData[]): void {
    this.#remove(toolUseId);
    if (images.length === 0) return;
    this.#images.set(toolUseId, images);
    this.#size += sizeOf(images);
    for (const oldest of this.#images.keys()) {
      if (this.#size <= this.#limit) return;
      this.#remove(oldest);
    }
  }

  /** Undefined where there is none, or where it was given up. */
  get(toolUseId: string, index: number): ImageData | undefined {
    return this.#images.get(toolUseId)?.[index];
  }

  clear(): void {
    this.#images.clear();
    this.#size = 0;
  }

  #remove(toolUseId: string): void {
    const images = this.#images.get(toolUseId);
    if (!images) return;
    this.#images.delete(toolUseId);
    this.#size -= sizeOf(images);
  }
}

function sizeOf(images: readonly ImageData[]): number {
  return images.reduce((sum, { data }) => sum + data.length, 0);
}

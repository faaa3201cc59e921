import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { IMAGE_TYPES } from '../chat/toolPartsProtocol';
import type { ViewMessage } from '../chat/viewProtocol';

export type LoadedImage =
  | { readonly kind: 'coming' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'here'; readonly url: string };

/** Pictures of results: asked of the host when they are drawn first, once for each. */
export class ImageLoader {
  readonly #post: (message: ViewMessage) => void;
  readonly #images = new Map<string, Signal<LoadedImage>>();
  readonly #asked = new Map<string, ViewMessage>();

  constructor(post: (message: ViewMessage) => void) {
    this.#post = post;
  }

  get(toolUseId: string, index: number): ReadonlySignal<LoadedImage> {
    return this.#of(toolUseId, index);
  }

  load(toolUseId: string, index: number): void {
    const key = keyOf(toolUseId, index);
    if (this.#asked.has(key)) return;
    const message: ViewMessage = { type: 'loadImage', toolUseId, index };
    this.#asked.set(key, message);
    this.#post(message);
  }

  answered(
    toolUseId: string,
    index: number,
    image: { mediaType: string; data: string } | undefined,
  ): void {
    const url = image && drawableUrl(image);
    this.#of(toolUseId, index).value = url === undefined ? { kind: 'gone' } : { kind: 'here', url };
  }

  /** What was asked may be answered no more, such as of a view that was hidden: it is asked anew. */
  reset(): void {
    for (const [key, message] of this.#asked) {
      if ((this.#images.get(key)?.peek().kind ?? 'coming') === 'coming') this.#post(message);
    }
  }

  #of(toolUseId: string, index: number): Signal<LoadedImage> {
    const key = keyOf(toolUseId, index);
    const known = this.#images.get(key);
    if (known) return known;
    const image = signal<LoadedImage>({ kind: 'coming' });
    this.#images.set(key, image);
    return image;
  }
}

function keyOf(toolUseId: string, index: number): string {
  return `${index}:${toolUseId}`;
}

/** Undefined for what is no picture that a page draws. */
function drawableUrl(image: {
  readonly mediaType: string;
  readonly data: string;
}): string | undefined {
  if (!IMAGE_TYPES.includes(image.mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(image.data), (character) => character.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type: image.mediaType }));
  } catch {
    return undefined;
  }
}

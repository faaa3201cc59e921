import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

/** What can be drawn of a picture. */
export type PictureState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly url: string }
  | { readonly kind: 'gone' };

export interface PictureCachePorts {
  /** Asks the host; the answer comes to {@link PictureCache.arrived}. */
  readonly ask: (id: string) => void;
  /** A small copy, and where it can be drawn from. Rejects for what is no picture. */
  readonly draw: (blob: Blob) => Promise<string>;
}

/** Small copies of the pictures of this page, each asked for once, when it is first drawn. */
export class PictureCache {
  readonly #ports: PictureCachePorts;
  readonly #states = new Map<string, Signal<PictureState>>();
  /** Of the host, which has not answered yet. */
  readonly #asked = new Set<string>();

  constructor(ports: PictureCachePorts) {
    this.#ports = ports;
  }

  picture(id: string): ReadonlySignal<PictureState> {
    const known = this.#states.get(id);
    if (known) return known;
    this.#asked.add(id);
    this.#ports.ask(id);
    return this.#state(id);
  }

  /** What was asked may be answered no more, such as of a view that was hidden: it is asked anew. */
  reset(): void {
    for (const id of this.#asked) this.#ports.ask(id);
  }

  /** One that the page has itself, or that the host has sent. */
  async put(id: string, blob: Blob): Promise<void> {
    const state = this.#state(id);
    this.#asked.delete(id);
    try {
      state.value = { kind: 'there', url: await this.#ports.draw(blob) };
    } catch {
      state.value = { kind: 'gone' };
    }
  }

  gone(id: string): void {
    this.#asked.delete(id);
    this.#state(id).value = { kind: 'gone' };
  }

  #state(id: string): Signal<PictureState> {
    let state = this.#states.get(id);
    if (!state) {
      state = signal<PictureState>({ kind: 'loading' });
      this.#states.set(id, state);
    }
    return state;
  }
}

import * as l10n from '@vscode/l10n';
import { signal, type ReadonlySignal } from '@preact/signals';
import { type ImageRef, MAX_IMAGES } from '../chat/imageProtocol';
import type { ViewMessage } from '../chat/viewProtocol';
import type { ReadyPicture } from './lookAtPicture';

/** A picture of the message that is being written. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  /** Undefined while it is looked at. */
  readonly image: ImageRef | undefined;
  /** It was too large for the model. */
  readonly isScaled?: boolean;
}

/** A file that was pasted, dropped or chosen. */
export interface NewFile {
  /** Undefined for one that has no name of its own, such as a picture of the screen. */
  readonly name: string | undefined;
  readonly blob: Blob;
}

export interface AttachmentsPorts {
  readonly post: (message: ViewMessage) => void;
  /** Rejects with what to tell the person. */
  readonly look: (file: Blob, name: string) => Promise<ReadyPicture>;
  readonly encode: (blob: Blob) => Promise<string>;
  /** Draws the page's own copy. */
  readonly show: (id: string, blob: Blob) => Promise<void>;
  readonly newId: () => string;
}

/** The pictures of a message box in which another conversation is by now. */
interface LeftBox {
  items: readonly Attachment[];
  /** Told of those that can be sent, with each that was still looked at. */
  readonly late: (ids: readonly string[]) => void;
}

/** The pictures of the message box. They leave only when the message was taken. */
export class AttachmentsModel {
  readonly #ports: AttachmentsPorts;
  readonly #items = signal<readonly Attachment[]>([]);
  readonly #problems = signal<readonly string[]>([]);
  /** Those that are looked at, by their ids, also of boxes that were left. */
  readonly #reading = new Map<string, Promise<void>>();
  readonly #left = new Map<string, LeftBox>();
  #changed: () => void = () => undefined;
  #unnamed = 0;

  constructor(ports: AttachmentsPorts) {
    this.#ports = ports;
  }

  get items(): ReadonlySignal<readonly Attachment[]> {
    return this.#items;
  }

  /** Why files were not attached. */
  get problems(): ReadonlySignal<readonly string[]> {
    return this.#problems;
  }

  get isReading(): boolean {
    return this.#items.value.some(({ image }) => image === undefined);
  }

  /** Those that can be sent. */
  get ids(): readonly string[] {
    return readyIds(this.#items.value);
  }

  /** Called with each change of what can be sent. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /**
   * What the host has kept fills the list; it holds it already. Those that are still looked at belong
   * to what was there before.
   */
  start(images: readonly ImageRef[], late: LeftBox['late'] = () => undefined): void {
    const left: LeftBox = { items: this.#items.value, late };
    for (const { id, image } of left.items) if (!image) this.#left.set(id, left);
    this.#items.value = images.map(kept);
  }

  /** Puts pictures back that a message had. */
  put(images: readonly ImageRef[]): void {
    const known = new Set(this.#items.value.map(({ id }) => id));
    const fresh = images.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    this.#items.value = [...this.#items.value, ...fresh.map(kept)];
    this.#changed();
  }

  add(files: readonly NewFile[]): void {
    this.#problems.value = [];
    for (const { name, blob } of files) {
      if (this.#items.value.length >= MAX_IMAGES) {
        this.#tell(l10n.t('A message can have {0} pictures at most.', MAX_IMAGES));
        return;
      }
      const attachment = {
        id: this.#ports.newId(),
        name: name ?? this.#ownName(),
        image: undefined,
      };
      this.#items.value = [...this.#items.value, attachment];
      const reading = this.#read(attachment, blob).finally(() => {
        this.#reading.delete(attachment.id);
        this.#left.delete(attachment.id);
      });
      this.#reading.set(attachment.id, reading);
    }
  }

  remove(id: string): void {
    this.#problems.value = [];
    this.#drop(id);
    this.#ports.post({ type: 'detach', id });
  }

  /** The host did not take it. Of one that went with its conversation nothing is said in another. */
  refused(id: string, reason: string): void {
    if (!this.#has(id)) return;
    this.#drop(id);
    this.#tell(reason);
  }

  /** They went with a message. */
  sent(ids: readonly string[]): void {
    const left = this.#items.value.filter(({ id }) => !ids.includes(id));
    if (left.length === this.#items.value.length) return;
    this.#items.value = left;
    this.#changed();
  }

  /** Says why a file is not attached, beside what is said of others. */
  tell(problem: string): void {
    this.#tell(problem);
  }

  dismissProblems(): void {
    if (this.#problems.value.length > 0) this.#problems.value = [];
  }

  /** Resolves when none of those in the box is looked at any more. */
  async settled(): Promise<void> {
    while (this.isReading) {
      await Promise.all(this.#items.value.flatMap(({ id }) => this.#reading.get(id) ?? []));
    }
  }

  async #read({ id, name }: Attachment, file: Blob): Promise<void> {
    const { look, encode, show, post } = this.#ports;
    try {
      const { blob, mediaType, width, height, isScaled } = await look(file, name);
      const [data] = await Promise.all([encode(blob), show(id, blob)]);
      const left = this.#left.get(id);
      // Taken out meanwhile.
      if (!left && !this.#has(id)) return;
      post({ type: 'attach', id, name, data, width, height });
      const image: ImageRef = { id, name, mediaType, bytes: blob.size, width, height };
      const looked = (one: Attachment) => (one.id === id ? { id, name, image, isScaled } : one);
      if (left) {
        left.items = left.items.map(looked);
        left.late(readyIds(left.items));
        return;
      }
      this.#items.value = this.#items.value.map(looked);
      this.#changed();
    } catch (error) {
      this.refused(id, error instanceof Error ? error.message : String(error));
    }
  }

  #drop(id: string): void {
    if (!this.#has(id)) return;
    this.#items.value = this.#items.value.filter((one) => one.id !== id);
    this.#changed();
  }

  #has(id: string): boolean {
    return this.#items.value.some((one) => one.id === id);
  }

  #tell(problem: string): void {
    if (!this.#problems.value.includes(problem)) {
      this.#problems.value = [...this.#problems.value, problem];
    }
  }

  #ownName(): string {
    this.#unnamed += 1;
    return l10n.t('Picture {0}', this.#unnamed);
  }
}

function readyIds(items: readonly Attachment[]): readonly string[] {
  return items.flatMap(({ id, image }) => (image ? [id] : []));
}

function kept(image: ImageRef): Attachment {
  return { id: image.id, name: image.name, image };
}

import { array, object, safeParse, string } from 'zod/mini';
import { isSameList } from '../base/isSameList';
import type { Logger } from '../base/logger';
import type { ImageRef } from '../chat/imageProtocol';
import { imageRefSchema } from '../chat/imageRefSchema';
import { StoredTable, type StoredTableFiles } from './storedTable';

/** As it is written down: a text alone as just that. */
type StoredDraft = string | { readonly text: string; readonly images: readonly ImageRef[] };

/** Those of places, of which few are open at once, and those that were put away with conversations. */
export const MAX_DRAFTS = 100;

const withImages = object({ text: string(), images: array(imageRefSchema) });

/** What stands unsent in the inputs, by the id of their place, or put away with a conversation. It survives a kill. */
export class DraftStore {
  readonly #table: StoredTable<StoredDraft>;

  private constructor(table: StoredTable<StoredDraft>) {
    this.#table = table;
  }

  /** Reads the newest of the files and writes the first. One that is missing or damaged counts as empty. */
  static async open(files: StoredTableFiles, log: Logger): Promise<DraftStore> {
    const parse = (value: unknown): StoredDraft | undefined =>
      typeof value === 'string' ? value : safeParse(withImages, value).data;
    return new DraftStore(
      await StoredTable.open({ files, log, what: 'Drafts', parse, max: MAX_DRAFTS }),
    );
  }

  get(place: string): string {
    const stored = this.#table.get(place) ?? '';
    return typeof stored === 'string' ? stored : stored.text;
  }

  set(place: string, text: string): void {
    if (this.get(place) !== text) this.#put(place, text, this.images(place));
  }

  images(place: string): readonly ImageRef[] {
    const stored = this.#table.get(place) ?? '';
    return typeof stored === 'string' ? [] : stored.images;
  }

  setImages(place: string, images: readonly ImageRef[]): void {
    const ids = (list: readonly ImageRef[]): readonly string[] => list.map(({ id }) => id);
    if (isSameList(ids(this.images(place)), ids(images))) return;
    this.#put(place, this.get(place), images);
  }

  /** The pictures of all drafts. */
  get allImages(): readonly ImageRef[] {
    return this.#table.values.flatMap((stored) =>
      typeof stored === 'string' ? [] : stored.images,
    );
  }

  /** Resolves when all that was set is on the disk, or could not be written (logged). */
  flush(): Promise<void> {
    return this.#table.flush();
  }

  #put(place: string, text: string, images: readonly ImageRef[]): void {
    if (images.length > 0) this.#table.set(place, { text, images });
    else this.#table.set(place, text === '' ? undefined : text);
  }
}

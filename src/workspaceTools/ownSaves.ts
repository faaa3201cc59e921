import { shaOf, type Snapshot } from './snapshot';

/** What was saved of one file. */
interface SavedFile {
  /** Hashes of what may be on the disk by it. */
  readonly texts: Set<string>;
  /** Hash of what was there before the first save; undefined where nobody told of that. */
  readonly before: string | undefined;
}

/** By the files' paths below the folder. */
export type SavedFiles = ReadonlyMap<string, SavedFile>;

/** No text has it. */
const NOTHING = '';

/** What the person saved in an editor, and what those files were before. */
export class OwnSaves {
  #saved = new Map<string, SavedFile>();
  /** What was on the disk as a save began: that is not always what was seen there last. */
  readonly #onDisk = new Map<string, string>();
  /** What a file was before its last change. */
  readonly #before = new Map<string, string>();

  /** @param sha of what is on the disk; undefined where nothing is */
  willSave(file: string, sha = NOTHING): void {
    this.#onDisk.set(file, sha);
  }

  saved(file: string, text: string): void {
    const known = this.#saved.get(file);
    const { texts, before } = known ?? { texts: new Set(), before: this.#onDisk.get(file) };
    // The editor's text has no byte order mark, whatever the file has.
    texts.add(shaOf(text)).add(shaOf(`\ufeff${text}`));
    this.#saved.set(file, { texts, before });
    this.#onDisk.delete(file);
  }

  /** Those until now: what is saved while the disk is read may come too late for that. */
  take(): SavedFiles {
    const saved = this.#saved;
    this.#saved = new Map();
    return saved;
  }

  /** It was saved once more meanwhile: then the two are one save, of what was there before the first. */
  join(file: string, { texts, before }: SavedFile): void {
    const next = this.#saved.get(file);
    if (next !== undefined)
      this.#saved.set(file, { texts: new Set([...texts, ...next.texts]), before });
  }

  changed(from: Snapshot, to: Snapshot): void {
    for (const [file, { sha }] of from.files) {
      if (to.files.get(file)?.sha !== sha) this.#before.set(file, sha);
    }
  }

  /** What a file was before it was saved. */
  before(file: string, { before }: SavedFile): string | undefined {
    return before ?? this.#before.get(file);
  }

  forget(): void {
    this.#before.clear();
  }
}

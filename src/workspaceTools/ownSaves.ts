import { shaOf, type Snapshot } from './snapshot';

/** Hashes of what was saved, by the files' paths. */
export type SavedTexts = ReadonlyMap<string, ReadonlySet<string>>;

/** What the person saved in an editor, and what those files were before. Files by their paths below the folder. */
export class OwnSaves {
  /** Texts that may be on the disk without a question. */
  #saved = new Map<string, Set<string>>();
  /** What a file was before its last change. */
  readonly #before = new Map<string, string>();

  /** @param sha what is on the disk, and what the save is of, whatever it was earlier */
  willSave(file: string, sha: string | undefined): void {
    if (sha !== undefined) this.#before.set(file, sha);
  }

  saved(file: string, text: string): void {
    const texts = this.#saved.get(file) ?? new Set();
    // The editor's text has no byte order mark, whatever the file has.
    this.#saved.set(file, texts.add(shaOf(text)).add(shaOf(`\ufeff${text}`)));
  }

  /** Those until now: what is saved while the disk is read may come too late for that. */
  take(): SavedTexts {
    const saved = this.#saved;
    this.#saved = new Map();
    return saved;
  }

  changed(from: Snapshot, to: Snapshot): void {
    for (const [file, { sha }] of from.files) {
      if (to.files.get(file)?.sha !== sha) this.#before.set(file, sha);
    }
  }

  before(file: string): string | undefined {
    return this.#before.get(file);
  }

  forget(): void {
    this.#before.clear();
  }
}

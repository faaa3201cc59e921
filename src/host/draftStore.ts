import type { Logger } from '../base/logger';
import { StoredTable, type StoredTableFiles } from './storedTable';

/** The unsent texts of the inputs, by the id of their conversation's place. They survive a kill. */
export class DraftStore {
  readonly #table: StoredTable<string>;

  private constructor(table: StoredTable<string>) {
    this.#table = table;
  }

  /** Reads the newest of the files and writes the first. One that is missing or damaged counts as empty. */
  static async open(files: StoredTableFiles, log: Logger): Promise<DraftStore> {
    const parse = (value: unknown): string | undefined =>
      typeof value === 'string' ? value : undefined;
    return new DraftStore(await StoredTable.open({ files, log, what: 'Drafts', parse }));
  }

  get(place: string): string {
    return this.#table.get(place) ?? '';
  }

  set(place: string, text: string): void {
    if (this.get(place) !== text) this.#table.set(place, text === '' ? undefined : text);
  }

  /** Resolves when all that was set is on the disk, or could not be written (logged). */
  flush(): Promise<void> {
    return this.#table.flush();
  }
}

import { ToolProblem } from './toolProblem';

/** What a cursor points at: a list as it was when the first page was made, and where to go on. */
export interface CursorPlace<T> {
  readonly snapshot: T;
  readonly offset: number;
}

/**
 * Keeps the last few lists of a conversation, so that pages of one list fit together whatever
 * happens to the files meanwhile. A cursor reads `d3.30`: third list, from item 30 on.
 */
export class CursorStore<T> {
  readonly #prefix: string;
  readonly #keep: number;
  readonly #snapshots = new Map<number, T>();
  readonly #ids = new Map<T, number>();
  #last = 0;

  constructor(prefix: string, keep = 8) {
    this.#prefix = prefix;
    this.#keep = keep;
  }

  /** The cursor for `offset` in `snapshot`; the oldest list is dropped when there are too many. */
  issue(snapshot: T, offset: number): string {
    return `${this.#prefix}${this.#idOf(snapshot)}.${offset}`;
  }

  /** The list and place of a cursor, or undefined where it is not ours or its list is gone. */
  open(cursor: string): CursorPlace<T> | undefined {
    const match = /^([a-z]+)(\d+)\.(\d+)$/u.exec(cursor.trim());
    if (match?.[1] !== this.#prefix) return undefined;
    const snapshot = this.#snapshots.get(Number(match[2]));
    return snapshot === undefined ? undefined : { snapshot, offset: Number(match[3]) };
  }

  #idOf(snapshot: T): number {
    const known = this.#ids.get(snapshot);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#snapshots.set(this.#last, snapshot);
    this.#ids.set(snapshot, this.#last);
    for (const [id, old] of this.#snapshots) {
      if (this.#snapshots.size <= this.#keep) break;
      this.#snapshots.delete(id);
      this.#ids.delete(old);
    }
    return this.#last;
  }
}

/**
 * The list and place of a cursor that the model gave.
 * @param again what it is to call where the list is gone
 * @throws ToolProblem
 */
export function takePage<T>(pages: CursorStore<T>, cursor: string, again: string): CursorPlace<T> {
  const place = pages.open(cursor);
  if (place !== undefined) return place;
  throw new ToolProblem(`The cursor is stale or unknown. Call ${again}`);
}

/** A line where files were edited since a list was made; `edits` as in `DiagnosticsFreshness`. */
export function staleNote(before: number, edits: number): readonly string[] {
  return before === edits ? [] : ['stale: files were edited since this list was made'];
}

import { signal, type ReadonlySignal } from '@preact/signals';
import type { SuggestAnswer, SuggestQuery, SuggestRow } from '../chat/suggestProtocol';
import type { TimerPort } from './draftTimer';
import { type SuggestWord, wordAt } from './suggestWord';

/** How long a key waits for the list it is meant for, in milliseconds. */
export const PATIENCE_MS = 1500;

export interface SuggestPorts {
  /** Asks the host; the answer comes to {@link SuggestModel.answered}. */
  readonly ask: (queryId: number, query: SuggestQuery) => void;
  /** Puts the row's text in the word's place. */
  readonly replace: (start: number, end: number, text: string) => void;
  /** Runs a command of the panel's own. */
  readonly run: (command: string) => void;
  /** What Enter does in the box where there is nothing to choose; `pressedIn` as it was then. */
  readonly enter: (pressedIn: TypedText) => void;
  readonly timers: TimerPort;
}

/** What stands in the box, and where the caret is. */
export interface TypedText {
  readonly text: string;
  readonly caret: number;
}

/** What is drawn. */
export interface SuggestView {
  readonly kind: SuggestQuery['kind'];
  readonly rows: readonly SuggestRow[];
  readonly notes: readonly string[];
  /** More may come. */
  readonly isPending: boolean;
  /** −1: none is chosen until the person moves. */
  readonly active: number;
}

export type SuggestKey = 'down' | 'up' | 'first' | 'last' | 'choose' | 'complete' | 'close';

/**
 * The list of suggestions of one message box. Keys that are pressed before the answer is there wait
 * for it, so that what they do does not hang on how fast it comes; an answer to an older word counts
 * for nothing.
 */
export class SuggestModel {
  readonly #ports: SuggestPorts;
  readonly #view = signal<SuggestView | undefined>(undefined);
  readonly #hint = signal<string | undefined>(undefined);
  #word: SuggestWord | undefined;
  #queryId = 0;
  /** The answer to the newest query has not come, or not all of it. */
  #isWaiting = false;
  /** What is drawn answers the newest query: keys mean what is seen. */
  #isDrawn = false;
  #held: { readonly key: SuggestKey; readonly pressedIn: TypedText }[] = [];
  #typed: TypedText = { text: '', caret: 0 };
  #timer: unknown;
  /** Where Escape closed the list: it stays closed for that word. */
  #dismissedAt: number | undefined;

  constructor(ports: SuggestPorts) {
    this.#ports = ports;
  }

  /** Undefined while no list is open. */
  get view(): ReadonlySignal<SuggestView | undefined> {
    return this.#view;
  }

  /** What the command still takes. */
  get hint(): ReadonlySignal<string | undefined> {
    return this.#hint;
  }

  /** The text was changed by typing, or the caret was moved. What was pasted asks for nothing. */
  changed(text: string, caret: number, how: 'typed' | 'moved' | 'other'): void {
    this.#typed = { text, caret };
    if (this.#isBehindEnter()) return;
    const word = how === 'other' ? undefined : wordAt(text, caret);
    if (word === undefined) {
      this.#dismissedAt = undefined;
      this.close();
      return;
    }
    if (this.#dismissedAt !== undefined && this.#dismissedAt !== word.start) {
      this.#dismissedAt = undefined;
    }
    const isSame = JSON.stringify(word) === JSON.stringify(this.#word);
    this.#word = word;
    if (this.#dismissedAt === word.start) return;
    // A caret that only passes by opens nothing.
    if (how === 'moved' && this.#view.value === undefined && !this.#isWaiting) return;
    if (isSame && (this.#view.value !== undefined || this.#isWaiting)) return;
    this.#ask(word);
  }

  answered(queryId: number, answer: SuggestAnswer): void {
    if (queryId !== this.#queryId || this.#word === undefined) return;
    this.#hint.value = answer.hint;
    const { rows, notes, isPending } = answer;
    this.#isDrawn = rows.length > 0;
    const before = this.#view.value;
    if (this.#isExact(rows)) this.#view.value = undefined;
    else if (rows.length > 0 || notes.length > 0 || isPending) {
      const { kind } = this.#word.query;
      const active = activeOf(before, rows, answer.isOptional === true);
      this.#view.value = { kind, rows, notes, isPending, active };
    } else this.#view.value = undefined;
    if (!isPending) this.#settle();
  }

  /**
   * Whether the key is the list's. Then the box must leave it alone.
   * @param isRepeat it is held down, and does not choose once more
   */
  key(key: SuggestKey, isRepeat = false): boolean {
    const isHeld = this.#isWaiting && (!this.#isDrawn || this.#held.length > 0);
    if (isRepeat && key === 'choose') return isHeld || this.#view.value !== undefined;
    if (!isHeld || key === 'close') return this.#run(key);
    // Tab goes on to the next control unless a list is seen.
    if (key === 'complete' && this.#view.value === undefined) return false;
    this.#held.push({ key, pressedIn: this.#typed });
    return true;
  }

  /** Enter waits for the list, and whoever has pressed it types on behind the word: it means that word. */
  #isBehindEnter(): boolean {
    const enter = this.#held.find(({ key }) => key === 'choose');
    if (!enter || !this.#word) return false;
    const { text, caret } = this.#typed;
    const { pressedIn } = enter;
    return caret > pressedIn.caret && text.startsWith(pressedIn.text.slice(0, this.#word.end));
  }

  /** A row was pointed at. */
  point(index: number): void {
    const view = this.#view.value;
    if (view && view.active !== index) this.#view.value = { ...view, active: index };
  }

  /** Takes the row: a command of the panel's own runs, all else goes into the box. */
  choose(index: number): void {
    const row = this.#view.value?.rows[index];
    if (row?.runs !== true) {
      this.#insert(index);
      return;
    }
    const word = this.#word;
    this.close();
    if (word) this.#ports.replace(word.start, word.end, '');
    this.#ports.run(row.insert);
  }

  #insert(index: number): void {
    const row = this.#view.value?.rows[index];
    const word = this.#word;
    if (row === undefined || word === undefined) return;
    this.close();
    this.#ports.replace(word.start, word.end, row.insert);
  }

  close(): void {
    this.#word = undefined;
    this.#queryId += 1;
    this.#isWaiting = false;
    this.#isDrawn = false;
    this.#held = [];
    this.#ports.timers.clear(this.#timer);
    this.#view.value = undefined;
    this.#hint.value = undefined;
  }

  #ask(word: SuggestWord): void {
    this.#queryId += 1;
    this.#held = [];
    this.#isWaiting = true;
    this.#isDrawn = false;
    // Rows of another kind of word would only mislead.
    if (this.#view.value?.kind !== word.query.kind) this.#view.value = undefined;
    this.#ports.timers.clear(this.#timer);
    this.#timer = this.#ports.timers.set(() => this.#settle(), PATIENCE_MS);
    this.#ports.ask(this.#queryId, word.query);
  }

  /** All is there, or is not waited for any longer: now the keys do what they do. */
  #settle(): void {
    this.#ports.timers.clear(this.#timer);
    this.#isWaiting = false;
    for (const { key, pressedIn } of this.#held.splice(0)) {
      if (!this.#run(key) && key === 'choose') this.#ports.enter(pressedIn);
    }
  }

  #run(key: SuggestKey): boolean {
    const view = this.#view.value;
    if (key === 'close') {
      if (view === undefined && !this.#isWaiting) return false;
      this.#dismiss();
      return true;
    }
    if (view === undefined) return false;
    const last = view.rows.length - 1;
    switch (key) {
      case 'choose':
        if (view.active < 0 || last < 0) {
          this.close();
          return false;
        }
        this.choose(view.active);
        return true;
      case 'complete':
        if (last < 0) return false;
        this.#insert(Math.max(view.active, 0));
        return true;
      case 'down':
        return this.#move(view.active >= last ? 0 : view.active + 1, last);
      case 'up':
        return this.#move(view.active <= 0 ? last : view.active - 1, last);
      case 'first':
        return this.#move(0, last);
      case 'last':
        return this.#move(last, last);
    }
  }

  #move(index: number, last: number): boolean {
    if (last < 0) return false;
    this.point(index);
    return true;
  }

  #dismiss(): void {
    const at = this.#word?.start;
    this.close();
    this.#dismissedAt = at;
  }

  /** All of it is typed already: there is nothing left to choose, and Enter sends. */
  #isExact(rows: readonly SuggestRow[]): boolean {
    const { query } = this.#word ?? {};
    const typed =
      query?.kind === 'argument'
        ? query.text
        : `${query?.kind === 'command' ? '/' : '@'}${query?.text ?? ''}`;
    return rows[0]?.insert.trimEnd() === typed;
  }
}

/** What was moved to stays chosen when more rows come. */
function activeOf(
  before: SuggestView | undefined,
  rows: readonly SuggestRow[],
  isOptional: boolean,
): number {
  const chosen = before?.isPending === true ? before.rows[before.active]?.id : undefined;
  const at = chosen === undefined ? -1 : rows.findIndex(({ id }) => id === chosen);
  if (at > 0) return at;
  return isOptional || rows.length === 0 ? -1 : 0;
}

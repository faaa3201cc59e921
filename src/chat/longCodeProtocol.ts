import { countLines } from './boundedText';

/** Code that is too long to be drawn. */
export interface LongCode {
  /** All of it. */
  readonly code: string;
  readonly lines: number;
}

/** Of code that has more than this a view gets the beginning. */
const MOST_LINES = 2_000;
const MOST_CHARS = 200_000;

/** So much of it is drawn. */
export const DRAWN_LINES = 400;
const DRAWN_CHARS = 40_000;

/** What one rendering has cut, in the order in which it stands in the text. */
export class LongCodes {
  readonly found: LongCode[] = [];

  /** The part that is drawn; undefined where all of it is. */
  cut(code: string): string | undefined {
    const drawn = placeOfLine(code, DRAWN_LINES);
    if (drawn === undefined) return code.length > MOST_CHARS ? this.#take(code) : undefined;
    const isLong = code.length > MOST_CHARS || placeOfLine(code, MOST_LINES) !== undefined;
    return isLong ? this.#take(code, drawn) : undefined;
  }

  #take(code: string, end = code.length): string {
    this.found.push({ code, lines: countLines(code) });
    return code.slice(0, Math.min(end, DRAWN_CHARS));
  }
}

/** Where the line of this number begins, counted from 0; undefined where there are no more. */
function placeOfLine(text: string, line: number): number | undefined {
  let at = 0;
  for (let count = 0; count < line; count += 1) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at < text.length ? at : undefined;
}

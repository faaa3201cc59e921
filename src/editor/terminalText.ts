import { cutText } from '../base/cutText';
import { AUTH_SCHEME, maskSecrets } from '../base/maskSecrets';
import { count } from './resultBudget';

// OSC (title, shell integration, links), DCS and the like up to their end, then CSI, then two-letter escapes.
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- these are what is taken out
  /(?:\u001B\]|\u009D)[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)|(?:\u001B[PX^_]|[\u0090\u0098\u009E\u009F])[^\u001B\u009C]*(?:\u001B\\|\u009C|$)|(?:\u001B\[|\u009B)[0-?]*[ -/]*(?:[@-~]|$)|\u001B[ -/]*[0-~]?/gu;
/** Of these, what moves within a line (C, D, G) or erases of it (J to its end, K). */
// eslint-disable-next-line no-control-regex -- as above
const MOVE = /^(?:\u001B\[|\u009B)(?:(\d*)([CDGK])|0?(J))$/u;
/** What {@link lineMoves} leaves of a line: moves, and text between them. */
// eslint-disable-next-line no-control-regex -- as above
const PARTS = /\u001B\[(\d*)([CDGK])|([\r\b])|[^\u001B\r\b]+/gu;
// eslint-disable-next-line no-control-regex -- as above
const SPECIAL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|[^\S\n](?:\n|$)/u;
// Tab, line feed, and what moves stay.
// eslint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u0007\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F-\u009F]/gu;
/** Columns that a move may lead to in a line that is not so long: 999 stands for the last one. */
const COLUMNS = 200;

/**
 * What a terminal's text reads like: colours, titles and moves between lines taken out, lines that
 * were written over or erased (progress bars) as they stood at last. Line ends are `\n`.
 */
export function plainText(raw: string): string {
  // Outputs of megabytes are so, mostly.
  if (!SPECIAL.test(raw)) return raw;
  const text = raw.replace(SEQUENCES, lineMoves).replace(CONTROLS, '');
  // eslint-disable-next-line no-control-regex -- as above
  const moves = /[\u001B\r\b]/u.test(text);
  return text
    .replace(/\r+\n/gu, '\n')
    .split('\n')
    .map((line) => (moves ? asItStood(line) : line).trimEnd())
    .join('\n');
}

/** The same sequence, spelled in one way, where it counts for its line; else nothing. */
function lineMoves(sequence: string): string {
  const found = MOVE.exec(sequence);
  if (found === null) return '';
  const [, count = '', move = 'K'] = found;
  return `\u001B[${count}${move}`;
}

/** A line as it is read once all of it was printed: what is longer than the text over it stays. */
function asItStood(line: string): string {
  // eslint-disable-next-line no-control-regex -- as above
  if (!/[\u001B\r\b]/u.test(line)) return line;
  let text = '';
  let at = 0;
  for (const [part, count = '', move, back] of line.matchAll(PARTS)) {
    const n = Number(count);
    const last = Math.max(text.length, COLUMNS);
    if (back !== undefined) at = back === '\r' ? 0 : Math.max(0, at - 1);
    else if (move === 'C') at = Math.min(last, at + (n || 1));
    else if (move === 'D') at = Math.max(0, at - (n || 1));
    else if (move === 'G') at = Math.min(last, (n || 1) - 1);
    else if (move === 'K') text = erased(text, at, n);
    else {
      text = text.slice(0, at).padEnd(at) + part + text.slice(at + part.length);
      at += part.length;
    }
  }
  // Of a wide character that was written over in part a terminal shows nothing.
  return text.replace(/\p{Surrogate}/gu, ' ');
}

/** By the number of the sequence: from the cursor on, up to it, or the whole line. */
function erased(text: string, at: number, which: number): string {
  if (which === 0) return text.slice(0, at);
  return which === 1 ? text.slice(at + 1).padStart(text.length) : '';
}

/** Characters of a line that was told already, so far as the names of values may be in them. */
const NAME_ROOM = 200;

/** The last lines of a text that goes on growing; older ones are counted and let go of. */
export class OutputTail {
  readonly #limit: number;
  #text = '';
  #length = 0;

  /** @param limit characters that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Characters that have come in all. */
  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    this.#length += text.length;
    this.#text += text;
    // Not with each piece: cutting copies the whole.
    if (this.#text.length > 2 * this.#limit) this.#text = endOf(this.#text, this.#limit);
  }

  /** What has come since `mark`, an earlier {@link length}, as far as it is still there. */
  since(mark = 0): string {
    const wanted = Math.min(this.#length - mark, this.#limit);
    return wanted <= 0 ? '' : endOf(this.#text, wanted);
  }

  /** The same from the beginning of its line: a value alone does not say that its name is a secret's. */
  sinceLine(mark: number): string {
    const text = this.since(mark);
    const before = this.since().slice(0, -text.length);
    return text === '' ? '' : endOf(before.slice(before.lastIndexOf('\n') + 1), NAME_ROOM) + text;
  }
}

/** At most `limit` UTF-16 units, never beginning in half a character. */
function endOf(text: string, limit: number): string {
  const end = text.slice(-limit);
  return end.length < text.length && /^[\uDC00-\uDFFF]/u.test(end) ? end.slice(1) : end;
}

/**
 * The end of an output in at most `limit` characters of whole lines, without values that are named
 * like secrets, after a line that says how much there is; nothing for an output without text.
 * @param total characters of the whole, where more has been let go of already
 */
export function tailLines(raw: string, limit: number, total = raw.length): readonly string[] {
  const plain = withoutSecretValues(plainText(total > raw.length ? withoutHalf(raw) : raw));
  const lines = plain.replace(/^\n+/u, '').trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const kept: string[] = [];
  let room = limit;
  for (const line of lines.reverse()) {
    const text = line.length > LINE_LIMIT ? `${cutText(line, LINE_LIMIT)}…` : line;
    if (kept.length > 0 && text.length + 1 > room) break;
    room -= text.length + 1;
    kept.push(text);
  }
  const isWhole = kept.length === lines.length && total <= raw.length;
  const title = isWhole
    ? 'output:'
    : `output, last ${count(kept.length, 'line')} of ${total} characters:`;
  return [title, ...kept.reverse()];
}

const LINE_LIMIT = 400;

/** Without the line, or at least the word, whose beginning was let go of: it may be the rest of a secret. */
function withoutHalf(text: string): string {
  const lines = text.slice(text.indexOf('\n') + 1);
  const isOne = lines === text || lines.trim() === '';
  return isOne ? text.replace(/^[^\s"';&|]+(?=[\s"';&|])/u, '…') : lines;
}

/** Up to its quote, where it has one. */
const VALUE = String.raw`(["']?)(?:(?<=")[^"\n]{4,400}(?=")|(?<=')[^'\n]{4,400}(?=')|[^\s"';&|]{4,})`;
/** Names of values that nobody wants to give away, as they stand in settings and commands; a count of tokens is none. */
const NAMES = String.raw`token(?!i[sz]|s["']?\s*[=:]\s*["']?\d[\d.,_]{0,12}[km]?(?![\w-]))|secret|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key`;
const NAMED = new RegExp(
  String.raw`((?:(?:${NAMES})[\w-]*|(?<=_)pass)["']?\s*[=:]\s*|authorization["']?\s*[=:]\s*["']?(?:bearer|basic)\s+)${VALUE}`,
  'giu',
);
/** As a word of its own behind a flag. */
const FLAGGED = new RegExp(
  String.raw`((?<![\w-])--?[\w-]{0,40}(?:${NAMES})\s+)(?!-)${VALUE}`,
  'giu',
);
const IN_HEADERS = new RegExp(String.raw`(${AUTH_SCHEME})[^\s"';&|]{4,}`, 'gu');

/**
 * Takes values out that are named like secrets (`TOKEN=…`, `password: …`, `Bearer …`), and those that
 * look like keys and tokens whatever their name.
 */
export function withoutSecretValues(text: string): string {
  const masked = text.replace(NAMED, '$1$2…').replace(FLAGGED, '$1$2…');
  return maskSecrets(masked.replace(IN_HEADERS, '$1…'));
}

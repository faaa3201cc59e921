import { maskSecrets } from '../base/maskSecrets';
import { count } from './resultBudget';

// OSC (title, shell integration, links), DCS and the like up to their end, then CSI, then two-letter escapes.
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- these are what is taken out
  /(?:\u001B\]|\u009D)[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)|(?:\u001B[PX^_]|[\u0090\u0098\u009E\u009F])[^\u001B\u009C]*(?:\u001B\\|\u009C|$)|(?:\u001B\[|\u009B)[0-?]*[ -/]*(?:[@-~]|$)|\u001B[ -/]*[0-~]?/gu;
// Tab and line feed stay.
// eslint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/gu;

/**
 * What a terminal's text reads like: colours, titles and cursor moves taken out, lines that were
 * written over (progress bars) as they stood at last. Line ends are `\n`.
 */
export function plainText(raw: string): string {
  return raw
    .replace(SEQUENCES, '')
    .replace(/\r+\n/gu, '\n')
    .split('\n')
    .map((line) => afterBackspaces(overwritten(line)).replace(CONTROLS, '').trimEnd())
    .join('\n');
}

/** A carriage return goes back to the start of its line; what is longer than the new text stays. */
function overwritten(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').reduce((before, text) => text + before.slice(text.length), '');
}

function afterBackspaces(line: string): string {
  let text = line;
  while (ERASED.test(text)) text = text.replace(ERASED, '');
  return text;
}

// eslint-disable-next-line no-control-regex -- a letter with the backspace after it
const ERASED = /[^\u0008]\u0008/u;

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
    if (this.#text.length > 2 * this.#limit) this.#text = this.#text.slice(-this.#limit);
  }

  /** What has come since `mark`, an earlier {@link length}, as far as it is still there. */
  since(mark = 0): string {
    const wanted = Math.min(this.#length - mark, this.#limit);
    return wanted <= 0 ? '' : this.#text.slice(-wanted);
  }
}

/**
 * The end of an output in at most `limit` characters of whole lines, after a line that says how much
 * there is; nothing for an output without text.
 * @param total characters of the whole, where more has been let go of already
 */
export function tailLines(raw: string, limit: number, total = raw.length): readonly string[] {
  const lines = plainText(raw).replace(/^\n+/u, '').trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const kept: string[] = [];
  let room = limit;
  for (const line of lines.reverse()) {
    const text = line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line;
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
/** Names of values that nobody wants to give away, as they stand in settings and commands. */
const SECRETS =
  /((?:token|secret|passw(?:or)?d|api[_-]?key|private[_-]?key)[\w-]*["']?\s*[=:]\s*["']?|\b(?:bearer|basic)\s+)[^\s"';&|]{4,}/giu;

/**
 * Takes values out that are named like secrets (`TOKEN=…`, `password: …`, `Bearer …`), and those that
 * look like keys and tokens whatever their name.
 */
export function withoutSecretValues(text: string): string {
  return maskSecrets(text.replace(SECRETS, '$1…'));
}

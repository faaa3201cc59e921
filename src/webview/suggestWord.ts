import type { SuggestQuery } from '../chat/suggestProtocol';

/** The word that is being typed, and what could complete it. */
export interface SuggestWord {
  readonly query: SuggestQuery;
  /** What a chosen row takes the place of: from the sign to the end of the word. */
  readonly start: number;
  readonly end: number;
}

/** Longer than this it is no word that somebody types. */
const LONGEST = 300;
const COMMAND = /^\/([^\s/]*)$/u;
const MENTION = /(?:^|[\s([{])@(?:"([^"\n]*)|((?:[^\s"@][^\s"]*)?))$/u;
const ARGUMENT = /^\/([^\s/]+)[ \t]+((?:[^\n]*[ \t])?)([^\s]*)$/u;

/**
 * The command, argument or mention whose end the caret is at or in; undefined where there is none.
 * A command stands only at the start of a message, an argument in its first line.
 */
export function wordAt(text: string, caret: number): SuggestWord | undefined {
  const before = text.slice(0, caret);
  const mention = MENTION.exec(before.slice(-LONGEST));
  if (mention) {
    const [, quoted, plain = ''] = mention;
    const typed = quoted ?? plain;
    const start = caret - typed.length - (quoted === undefined ? 1 : 2);
    const end = quoted === undefined ? endOfMention(text, caret) : endOfQuote(text, caret);
    return { query: { kind: 'mention', text: typed }, start, end };
  }
  if (!before.startsWith('/') || before.length > LONGEST) return undefined;
  const command = COMMAND.exec(before)?.[1];
  if (command !== undefined) {
    const end = endOfWord(text, caret);
    // In a path there is nothing to complete.
    if (text.slice(1, end).includes('/')) return undefined;
    return { query: { kind: 'command', text: command }, start: 0, end };
  }
  return argumentAt(text, before);
}

function argumentAt(text: string, before: string): SuggestWord | undefined {
  const [, command, given = '', word = ''] = ARGUMENT.exec(before) ?? [];
  if (command === undefined) return undefined;
  // An open quote belongs to the argument: `id="buy mi`.
  const quote = /([^\s="]+="[^"]*)$/u.exec(given);
  const isOpen = quote !== null && (given.match(/"/gu)?.length ?? 0) % 2 === 1;
  const opened = isOpen ? (quote[1] ?? '') : '';
  const typed = `${opened}${word}`;
  const start = before.length - typed.length;
  return {
    query: {
      kind: 'argument',
      command,
      given: isOpen ? given.slice(0, -opened.length) : given,
      text: typed,
    },
    start,
    end: isOpen ? endOfQuote(text, before.length) : endOfWord(text, before.length),
  };
}

function endOfWord(text: string, from: number): number {
  const at = text.slice(from).search(/\s/u);
  return at === -1 ? text.length : from + at;
}

/** Signs at the end of the word belong to the sentence: `@ca, then`. */
function endOfMention(text: string, from: number): number {
  const rest = text.slice(from, endOfWord(text, from));
  return from + rest.replace(/[.,;:!?)\]}'\u2019]+$/u, '').length;
}

function endOfQuote(text: string, from: number): number {
  const [rest = ''] = /^[^"\n]*"?/u.exec(text.slice(from)) ?? [];
  // Without its end a quote would take the rest of the line with it.
  return rest.endsWith('"') ? from + rest.length : from;
}

/** A message that calls a command: `/name` and what stands behind it. */
export interface CommandLine {
  /** Without the slash. */
  readonly name: string;
  readonly rest: string;
}

/** What a prompt takes, as its server lists it. */
export interface ArgumentInfo {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required: boolean;
}

/** A path such as `/etc/hosts` is no command. */
const LINE = /^\/([^\s/]+)(?:\s+([^]*))?$/u;
const PIECE = /([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))|"((?:[^"\\]|\\.)*)"|(\S+)/gu;

export function tryParseCommandLine(text: string): CommandLine | undefined {
  const [, name, rest = ''] = LINE.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest };
}

/**
 * Reads `id=milk hours="4 or 5"`. Words without a name fill the arguments that are left, in their
 * order; the last of those takes all that remains as it is typed, its lines and blanks too. `=` behind
 * a word that names no argument is part of the word.
 */
export function parseArguments(
  rest: string,
  known: readonly ArgumentInfo[],
): Readonly<Record<string, string>> {
  const given = new Map<string, string>();
  const words: { readonly text: string; readonly at: number }[] = [];
  /** Without what is named; `at` is a place in it. */
  let nameless = '';
  let end = 0;
  for (const match of rest.matchAll(PIECE)) {
    const [whole, name, quoted, plain, word, bare] = match;
    const gap = rest.slice(end, match.index);
    end = match.index + whole.length;
    const named = name === undefined ? undefined : findArgument(known, name);
    if (named !== undefined) {
      given.set(named.name, quoted === undefined ? (plain ?? '') : unescape(quoted));
      nameless += gap.trimEnd();
    } else {
      nameless += gap;
      const text = word === undefined ? (bare ?? whole) : unescape(word);
      words.push({ text, at: nameless.length });
      nameless += whole;
    }
  }
  const open = known.filter(({ name }) => !given.has(name));
  open.forEach(({ name }, index) => {
    const isLast = index === open.length - 1;
    const word = words.shift();
    const taken = isLast && words.length > 0 ? nameless.slice(word?.at) : word?.text;
    if (taken !== undefined && taken !== '') given.set(name, taken);
  });
  return Object.fromEntries(given);
}

/** `name=value`, quoted where it has to be. */
export function argumentText(name: string, value: string): string {
  const plain = value !== '' && !/[\s"\\]/u.test(value);
  return `${typedArgument(name)}=${plain ? value : `"${value.replace(/["\\]/gu, String.raw`\$&`)}"`}`;
}

/** Servers of others have names of any kind: a blank would end it. */
export function typedArgument(name: string): string {
  return name.replace(/[\s="]+/gu, '_');
}

/** The argument that is typed so; one whose very name it is goes before. */
export function findArgument(
  known: readonly ArgumentInfo[],
  typed: string,
): ArgumentInfo | undefined {
  return (
    known.find(({ name }) => name === typed) ??
    known.find(({ name }) => typedArgument(name) === typed)
  );
}

/** A path of Windows and a regular expression keep theirs. */
function unescape(text: string): string {
  return text.replace(/\\(["\\])/gu, '$1');
}

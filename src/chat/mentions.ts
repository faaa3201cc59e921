/** A mention in a message: `@src/a.ts`, `@"with space.md"`, `@problems`, `@notes:note://milk`. */
export interface Mention {
  /** As it stands in the message, the `@` and quotes included. */
  readonly raw: string;
  /** What it names, without `@` and quotes. */
  readonly target: string;
  readonly isQuoted: boolean;
}

/** Lines of a file, from 1. */
export interface LinesTarget {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** A sign in the middle of a word, as in an address, is none. */
const MENTION = /(?<=^|[\s([{])@(?:"([^"\n]{1,1000})"|([^\s"@][^\s"]{0,999}))/gu;
/** More than a person writes; a pasted file may hold any number of `@`. */
const MOST = 50;
/** Of those behind them it is still told that they were not looked at. */
const MOST_TOLD = 500;

/** Whether a message may hold a mention. */
export function hasMention(text: string): boolean {
  return text.search(MENTION) !== -1;
}

/** The mentions of a message that are looked at, each target once. */
export function parseMentions(text: string): readonly Mention[] {
  return [...distinctMentions(text, MOST).values()];
}

/** Those behind them, which nobody looks at. */
export function mentionsLeft(text: string): readonly Mention[] {
  return [...distinctMentions(text, MOST_TOLD).values()].slice(MOST);
}

function distinctMentions(text: string, most: number): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>();
  for (const [raw, quoted, plain] of text.matchAll(MENTION)) {
    const target = quoted ?? plain ?? '';
    if (!found.has(target)) found.set(target, { raw, target, isQuoted: quoted !== undefined });
    if (found.size === most) break;
  }
  return found;
}

/**
 * What a mention may mean, the likeliest first: punctuation behind it belongs to the sentence, if
 * nothing has that name.
 */
export function readings({ target, isQuoted }: Mention): readonly string[] {
  const bare = target.replace(/[.,;:!?)\]}'\u2019]+$/u, '');
  return isQuoted || bare === target || bare === '' ? [target] : [target, bare];
}

/** The text that mentions something, ready to stand in a message. */
export function mentionText(target: string): string {
  // Two of the sign begin no mention: `@types/a.d.ts`.
  return /[\s"]|^@/u.test(target) ? `@"${target.replaceAll('"', '')}"` : `@${target}`;
}

/** `src/a.ts:3-9`, `src/a.ts:3`. */
export function tryParseLines(target: string): LinesTarget | undefined {
  const [, path, first, last] = /^(.+):(\d{1,7})(?:-(\d{1,7}))?$/u.exec(target) ?? [];
  if (path === undefined || first === undefined) return undefined;
  const from = Number(first);
  const to = last === undefined ? from : Number(last);
  return from < 1 || to < from ? undefined : { path, from, to };
}

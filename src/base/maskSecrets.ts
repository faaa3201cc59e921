/**
 * Hides what looks like a secret in text that a person may copy into a report: known forms of
 * keys and tokens, and the values of the environment variables whose names say that they are one.
 */

const MASK = '•••';

/** Not what people write behind "basic" and "bearer": a word, `end-to-end`, `TypeScript`, `HTTP`. */
const NO_PLAIN_WORD = String.raw`(?!(?:[A-Za-z][a-z]{0,19}(?:(?:-|[A-Z])[a-z]{1,15}){0,3}|[A-Z]{2,8})[.,:;!?)]{0,2}(?![\w.~+/=-]))`;
/** What stands before the value in a header, or in a text about one. */
export const AUTH_SCHEME = String.raw`\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+${NO_PLAIN_WORD}`;

/** A quote, also one of JSON that stands in another text of JSON, behind backslashes. */
const QUOTE = String.raw`(?:\\{0,3}["'])?`;
const IS = String.raw`${QUOTE}\s{0,4}[:=]\s{0,4}${QUOTE}`;
/** Up to such a quote. */
const VALUE = String.raw`(?:[^\s"',;\\]|\\(?!\\{0,2}["'])){4,}`;

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/g, MASK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abpr]-|npm_)[A-Za-z0-9_-]{10,}/g, MASK],
  [/\bAKIA[0-9A-Z]{16}\b/g, MASK],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, MASK],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?/g, MASK],
  // In a header it is no word, whatever it reads like.
  [new RegExp(`(authorization${IS}(?:Bearer|Basic)\\s+)${VALUE}`, 'gi'), `$1${MASK}`],
  [new RegExp(String.raw`(${AUTH_SCHEME})[A-Za-z0-9._~+/=-]{6,}`, 'g'), `$1${MASK}`],
  [/(:\/\/[^\s:/@]{1,256}:)[^\s@/]{1,256}(?=@)/g, `$1${MASK}`],
  [
    new RegExp(
      String.raw`\b((?:[a-z0-9]{1,40}[-_]){0,6}(?:api[-_]?key|token|secret|password|passwd|authorization)${IS})(?!Bearer|Basic)${VALUE}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
];

const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTHORIZATION|AUTH_HEADER|COOKIE|PGPASS)$|(?:^|_)(?:PAT|PASS|DSN)$|_PWD$/i;
/** A shorter value would blot out ordinary words. */
const MIN_SECRET_LENGTH = 8;

/** Whether an environment variable of this name holds a secret, by its name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The values in an environment that must not be shown. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_SECRET_LENGTH && isSecretName(name) ? [value] : [],
  );
}

/** Returns the text with secrets replaced by dots. `known` are values to hide wherever they stand. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const value of [...known].sort((a, b) => b.length - a.length)) {
    masked = masked.replaceAll(value, MASK);
  }
  for (const [form, replacement] of FORMS) masked = masked.replace(form, replacement);
  return masked;
}

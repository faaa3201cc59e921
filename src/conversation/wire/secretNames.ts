import { isSecretName } from '../../base/maskSecrets';

/** Objects and lists in which every value may be a secret. */
const BAGS = new Set(['headers', 'env', 'environment', 'requestheaders', 'httpheaders']);

const SECRET_FIELD =
  /^(?:.{0,40}(?:api|access|secret|private|auth|signing|encryption|session)[-_]?key|.{0,40}token|.{0,40}secret|.{0,40}pass(?:word|wd|phrase)|.{0,40}credentials?|authorization|proxy-authorization|(?:set-)?cookie)$/i;

/** They end like secrets and are counters or places in a list. */
const NO_SECRET = /^(?:progress|page|continuation|next|next_?page)_?token$/i;

const ENVIRONMENT_STYLE = /^[A-Z][A-Z0-9_]{2,}$/;

/** Whether all that stands below a field of this name is left out, such as `headers`. */
export function isSecretBag(field: string): boolean {
  return BAGS.has(field.toLowerCase());
}

/** Whether a field of this name holds a secret: `authorization`, `apiKey`, `GITHUB_TOKEN`. */
export function isSecretField(field: string): boolean {
  if (NO_SECRET.test(field)) return false;
  return SECRET_FIELD.test(field) || (ENVIRONMENT_STYLE.test(field) && isSecretName(field));
}

/** Whether an item of a command line is a flag whose secret is the item after it: `--api-key`. */
export function isSecretFlag(item: unknown): boolean {
  return (
    typeof item === 'string' && /^--?[a-z]/i.test(item) && isSecretField(item.replace(/^-+/, ''))
  );
}

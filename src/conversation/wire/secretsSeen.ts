import { isSecretName } from '../../base/maskSecrets';
import { isSecretBag, isSecretField, isSecretFlag } from './secretNames';

/** A shorter value would blot out ordinary words. */
const MIN_LENGTH = 8;
const MAX_KNOWN = 500;
const MAX_DEPTH = 12;
const MAX_LOOKED_AT = 20_000;

/**
 * Values that stood in headers or secret fields: wherever they turn up later, such as in the text
 * of an error, they are left out as well. Also those of frames that are kept no longer.
 */
export class SecretsSeen {
  readonly #values: Set<string>;

  /** @param known such as the secrets of our own environment */
  constructor(known: readonly string[] = []) {
    this.#values = new Set(known.filter((value) => value.length >= MIN_LENGTH));
  }

  get values(): readonly string[] {
    return [...this.#values];
  }

  /** Takes what a frame has of them. Bounded: a tool's result may be as large as it likes. */
  learn(frame: unknown): void {
    const todo: { value: unknown; secret: Secrecy; depth: number }[] = [
      { value: frame, secret: 'none', depth: 0 },
    ];
    for (let looked = 0; looked < MAX_LOOKED_AT; looked += 1) {
      const next = todo.pop();
      if (next === undefined) return;
      const { value, secret, depth } = next;
      if (typeof value === 'string') {
        if (secret === 'all') this.#add(value);
      } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
        const isList = Array.isArray(value);
        let before: unknown;
        for (const [field, inner] of Object.entries(value)) {
          const isBehindFlag = isList && isSecretFlag(before);
          const secrecy = isBehindFlag ? 'all' : below(secret, field);
          todo.push({ value: inner, secret: secrecy, depth: depth + 1 });
          before = inner;
        }
      }
    }
  }

  #add(value: string): void {
    if (value.length < MIN_LENGTH || this.#values.size >= MAX_KNOWN) return;
    this.#values.add(value);
    // `Bearer abc` may be told as `abc` elsewhere.
    const bare = /^(?:Bearer|Basic)\s+(\S{8,})$/i.exec(value)?.[1];
    if (bare !== undefined) this.#values.add(bare);
  }
}

/** In an environment only some values are secrets: others, such as a path, stand everywhere. */
type Secrecy = 'none' | 'someByName' | 'all';

function below(secret: Secrecy, field: string): Secrecy {
  if (secret === 'all' || isSecretField(field)) return 'all';
  if (secret === 'someByName') return isSecretName(field) ? 'all' : 'someByName';
  if (!isSecretBag(field)) return 'none';
  return /^env/i.test(field) ? 'someByName' : 'all';
}

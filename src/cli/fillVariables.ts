import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../protocol/lazySchema';
import { errorMessage } from '../base/errors';
import { isSecretName } from '../base/maskSecrets';
import type { ExternalEntry } from './serverEntry';

export interface VariableSources {
  /** The CLI's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent where the entry is not the person's own: then a secret is never filled in. */
  readonly secret?: (name: string) => PromiseLike<string | undefined>;
}

export type FilledEntry =
  /** `secrets`: the values in it that must not be shown. */
  | { readonly ok: true; readonly entry: ExternalEntry; readonly secrets: readonly string[] }
  /** `reason` is localized and names variables, never their values. */
  | { readonly ok: false; readonly reason: string };

/** `${env:X}`, `${secret:X}`, and the CLI's own `${X}` and `${X:-default}`. */
const VARIABLE = /\$\{(?:(env|secret):([A-Za-z_][\w.-]*)|([A-Za-z_]\w*)(?::-([^}]*))?)\}/g;
const PLAIN_WORD = /^[A-Za-z]{1,20}$/;
/** What other programs of the machine can read of a running one. */
const PUBLIC = new Set(['command', 'args']);

/**
 * Puts the values of variables into an entry. A secret is refused in `command` and `args`, where
 * every program of the machine could read it; so is an environment variable that is named like one.
 */
export async function fillVariables(
  entry: ExternalEntry,
  sources: VariableSources,
): Promise<FilledEntry> {
  const filler = new Filler(sources);
  const filled: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(entry)) {
    filled[field] = await filler.fill(value, field);
  }
  const [reason] = filler.faults;
  // Texts stay texts, so the shape is that of the entry.
  return reason === undefined
    ? { ok: true, entry: filled as unknown as ExternalEntry, secrets: [...filler.secrets] }
    : { ok: false, reason };
}

class Filler {
  readonly faults: string[] = [];
  /** Wherever they stand: in a URL nobody could tell them later. */
  readonly secrets = new Set<string>();
  readonly #sources: VariableSources;

  constructor(sources: VariableSources) {
    this.#sources = sources;
  }

  async fill(value: unknown, field: string): Promise<unknown> {
    if (typeof value === 'string') return this.#text(value, field);
    if (Array.isArray(value)) {
      return Promise.all(value.map((item: unknown) => this.fill(item, field)));
    }
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(
      async ([key, item]) => [key, await this.fill(item, field)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  async #text(text: string, field: string): Promise<string> {
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(VARIABLE)) {
      parts.push(text.slice(end, match.index), await this.#value(match, field));
      end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts.join('');
  }

  async #value(match: RegExpExecArray, field: string): Promise<string> {
    const [whole, kind, ownName, plainName, fallback] = match;
    const name = ownName ?? plainName ?? '';
    const { env, secret } = this.#sources;
    const isOwn = secret !== undefined;
    if (isOwn && PUBLIC.has(field) && (kind === 'secret' || isSecretName(name))) {
      this.faults.push(
        l10n.t(
          '{0} may not stand in {1}, which other programs can read; use {2}',
          whole,
          field,
          'env',
        ),
      );
      return whole;
    }
    if (kind !== 'secret') {
      const given = Object.hasOwn(env, name) ? env[name] : undefined;
      const value = given ?? fallback;
      // A default may be any word, which would be hidden wherever it stands.
      const isWord = given === undefined && PLAIN_WORD.test(fallback ?? '');
      if (value !== undefined && isSecretName(name) && !isWord) this.secrets.add(value);
      // What is not ours to judge stays as the CLI itself leaves it.
      if (value === undefined && isOwn) {
        this.faults.push(l10n.t('the environment variable {0} is not set', name));
      }
      return value ?? whole;
    }
    let value: string | undefined;
    try {
      value = await secret?.(name);
    } catch (error) {
      // Such as of a keyring that is locked: the other servers have no part in it.
      this.faults.push(l10n.t('the secret {0} cannot be read: {1}', name, errorMessage(error)));
      return whole;
    }
    if (value !== undefined) this.secrets.add(value);
    else {
      this.faults.push(
        isOwn
          ? l10n.t('the secret {0} is not set', name)
          : l10n.t('{0} works in your own settings only', whole),
      );
    }
    return value ?? whole;
  }
}

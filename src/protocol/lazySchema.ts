import type { $ZodType, output } from 'zod/v4/core';
import { catch as orElse, custom, nullable, optional, safeParse } from 'zod/mini';
import { MISFIT, quickSchema } from '../base/quickSchema';

/**
 * A schema that is built on its first use: building all of them at load costs the start of every
 * window, also of those in which nobody opens the panel.
 */
export type LazySchema<T extends $ZodType = $ZodType> = () => T;

/** Builds once, on first use. */
export function lazySchema<T extends $ZodType>(build: () => T): LazySchema<T> {
  let schema: T | undefined;
  return () => (schema ??= build());
}

/** What a lazy schema yields. */
export type Parsed<L extends LazySchema> = output<ReturnType<L>>;

/** True for what JSON calls an object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON object handed on by reference. Copying would lose an own `__proto__` key, which a model
 * may write into a tool's input and which must reach the tool unchanged.
 */
export const jsonObject = () => custom<Record<string, unknown>>(isJsonObject);

/**
 * An optional detail: absent, null or of an unexpected type it is `undefined`, and the message
 * around it lives. For what nothing depends on.
 */
export const detail = <T extends $ZodType>(schema: T) => orElse(optional(schema), undefined);

/** As {@link detail}, where the CLI writes an explicit null and means something by it. */
export const nullableDetail = <T extends $ZodType>(schema: T) =>
  orElse(optional(nullable(schema)), undefined);

/** The outcome of a schema on a value: the value, or where it does not fit. */
export type Fit<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly place: string };

/**
 * Parses and names the first place that does not fit, such as `event.index: expected number`. The
 * quick reading judges and zod words it: zod collects every fault, and of a list of millions that is
 * more than the memory, or an error of its own.
 */
export function fit<T extends $ZodType>(schema: T, value: unknown): Fit<output<T>> {
  const quick = quickSchema(schema);
  const read = quick === undefined ? MISFIT : quick(value);
  // The same value that zod would give, so of its type.
  if (read !== MISFIT) return { ok: true, value: read as output<T> };
  const result = safeParse(schema, quick === undefined ? value : excerpt(value, 0));
  if (result.success) {
    return quick === undefined
      ? { ok: true, value: result.data }
      : { ok: false, place: '(far inside): does not fit' };
  }
  const issue = result.error.issues[0];
  const path = issue === undefined || issue.path.length === 0 ? '(root)' : issue.path.join('.');
  return { ok: false, place: `${path}: ${issue?.message ?? 'invalid'}` };
}

/** Entries of one list or object that are looked at for the place. */
const MAX_ENTRIES = 200;
/** No schema looks deeper; what is below is handed on by reference. */
const MAX_DEPTH = 8;

function excerpt(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((entry) => excerpt(entry, depth + 1));
  }
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([key, entry]) => [key, excerpt(entry, depth + 1)]));
}

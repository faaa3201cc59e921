import type { $ZodType, output } from 'zod/v4/core';
import { catch as orElse, custom, nullable, optional, safeParse } from 'zod/mini';
import { MISFIT, quickSchema } from './quickSchema';

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

/** Parses and names the first place that does not fit, such as `event.index: expected number`. */
export function fit<T extends $ZodType>(schema: T, value: unknown): Fit<output<T>> {
  const quick = quickSchema(schema)?.(value) ?? MISFIT;
  // The same value that zod would give, so of its type.
  if (quick !== MISFIT) return { ok: true, value: quick as output<T> };
  const result = safeParse(schema, value);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const path = issue === undefined || issue.path.length === 0 ? '(root)' : issue.path.join('.');
  return { ok: false, place: `${path}: ${issue?.message ?? 'invalid'}` };
}

import type { $ZodType } from 'zod/v4/core';
import { ownField } from './wire';

/**
 * Whether a pattern of JSON Schema, which has no flags, takes the same as the regular expression:
 * without its `i` it would refuse what the author takes, and a person could not answer.
 */
export function isSaidBySource(pattern: RegExp): boolean {
  return !/[imsv]/.test(pattern.flags);
}

/** For zod's `toJSONSchema`: takes out the patterns that say something else without their flags. */
export function dropFlagged({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: $ZodType;
  readonly jsonSchema: Record<string, unknown>;
}): void {
  const flagged = new Set<unknown>(
    patternsOf(zodSchema)
      .filter((pattern) => !isSaidBySource(pattern))
      .map(({ source }) => source),
  );
  if (flagged.size === 0) return;
  if (flagged.has(jsonSchema.pattern)) delete jsonSchema.pattern;
  const { allOf } = jsonSchema;
  if (!Array.isArray(allOf)) return;
  const kept: unknown[] = allOf.filter((one) => !flagged.has(ownField(one, 'pattern')));
  if (kept.length > 0) jsonSchema.allOf = kept;
  else delete jsonSchema.allOf;
}

/** Of a format, and of all that was checked besides. */
function patternsOf(zodSchema: $ZodType): RegExp[] {
  const { def } = zodSchema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return [def, ...checks].flatMap((one) => {
    const pattern = ownField(one, 'pattern');
    return pattern instanceof RegExp ? [pattern] : [];
  });
}

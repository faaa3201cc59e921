import { isRecord, type JsonObject } from './wire';

/**
 * A form's schema without the regular expressions in it: those of somebody else's server may take
 * for ever, in the panel and in the host. The server itself still checks what it is answered.
 */
export function withoutPatterns(schema: JsonObject): JsonObject {
  return copy(schema) as JsonObject;
}

function copy(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => copy(one));
  if (!isRecord(value)) return value;
  // Names of properties are free: one may be called `pattern`.
  const kept = Object.entries(value).filter(
    ([name, inner]) => isMap || name !== 'pattern' || typeof inner !== 'string',
  );
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, copy(inner, !isMap && name === 'properties')]),
  );
}

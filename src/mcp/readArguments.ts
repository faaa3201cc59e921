import { describeValue, type Problem } from './problems';
import { readText, type TextReader, TextReaders } from './readJsonTexts';
import { isRecord, type JsonObject, setOwn } from './wire';

export interface ReadArguments {
  /** A copy with the known keys only, JSON texts read where the schema wants no text. */
  readonly value: Record<string, unknown>;
  readonly problems: readonly Problem[];
}

const OBJECT = new Set(['object']);

/**
 * Makes the arguments of calls ready for the schema: models send arrays, objects and numbers as
 * JSON text, and misspell optional keys, which would otherwise be ignored without a word.
 */
export function argumentReader(schema: JsonObject): (args: unknown) => ReadArguments {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const closed = isClosed(schema, properties);
  const readers = new TextReaders(schema);
  const fields = new Map<string, TextReader | undefined>(
    Object.entries(properties).map(([key, own]) => [key, readers.of(own)]),
  );
  const patterns = readers.ofPatterns(schema.patternProperties);
  const rest = readers.of(schema.additionalProperties);
  // Such a field would be found in every object, and zod takes what it finds there for given.
  const isBare = Object.keys(properties).some((key) => key in Object.prototype);
  return (args) => {
    readers.begin();
    const given = typeof args === 'string' ? readText(args, OBJECT) : args;
    if (given !== undefined && !isRecord(given)) {
      return {
        value: {},
        problems: [{ path: [], expected: 'object', received: describeValue(args) }],
      };
    }
    const value = isBare ? bareObject() : {};
    const problems: Problem[] = [];
    for (const key of Object.keys(given ?? {})) {
      const item = given?.[key];
      const isNamed = fields.has(key);
      const pattern = isNamed ? undefined : patterns.find(({ fits }) => fits.test(key));
      if (isNamed || pattern !== undefined || !closed) {
        const reader = isNamed ? fields.get(key) : pattern ? pattern.read : rest;
        setOwn(value, key, reader === undefined ? item : reader(item));
      } else if (fields.size > 0) problems.push(unknownKey(key, item, properties));
    }
    return { value, problems };
  };
}

function bareObject(): Record<string, unknown> {
  // Typed as anything by the library.
  return Object.create(null) as Record<string, unknown>;
}

/** Unless the author says otherwise, keys that are not named in the schema are not taken. */
function isClosed(schema: JsonObject, properties: Record<string, unknown>): boolean {
  if (schema.additionalProperties === false) return true;
  if (schema.additionalProperties !== undefined) return false;
  if (schema.unevaluatedProperties !== undefined) return false;
  return schema.patternProperties === undefined && Object.keys(properties).length > 0;
}

function unknownKey(key: string, item: unknown, properties: Record<string, unknown>): Problem {
  const names = Object.keys(properties).join(', ');
  return { path: [key], expected: `one of the fields ${names}`, received: describeValue(item) };
}

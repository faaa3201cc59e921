import { describeValue, type Problem } from './problems';
import { isRecord, type JsonObject } from './wire';

export interface ReadArguments {
  /** A copy with the known keys only, JSON texts read where the schema wants no text. */
  readonly value: Record<string, unknown>;
  readonly problems: readonly Problem[];
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Makes the arguments of calls ready for the schema: models send arrays, objects and numbers as
 * JSON text, and misspell optional keys, which would otherwise be ignored without a word.
 * A text is read only where the schema admits no string and only if it holds what is wanted.
 */
export function argumentReader(schema: JsonObject): (args: unknown) => ReadArguments {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const closed = isClosed(schema, properties);
  return (args) => {
    const given = typeof args === 'string' ? readText(args, new Set(['object'])) : args;
    if (given !== undefined && !isRecord(given)) {
      return {
        value: {},
        problems: [{ path: [], expected: 'object', received: describeValue(args) }],
      };
    }
    const value: Record<string, unknown> = {};
    const problems: Problem[] = [];
    for (const key of Object.keys(given ?? {})) {
      const item = given?.[key];
      if (Object.hasOwn(properties, key)) setOwn(value, key, readValue(item, properties[key]));
      else if (!closed) setOwn(value, key, item);
      else if (Object.keys(properties).length > 0) problems.push(unknownKey(key, item, properties));
    }
    return { value, problems };
  };
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

function readValue(value: unknown, schema: unknown): unknown {
  if (typeof value !== 'string') return value;
  const types = typesOf(schema);
  return types === undefined || types.has('string') ? value : readText(value, types);
}

/** The value that the text holds if it is of one of the types, else the text itself. */
function readText(text: string, types: ReadonlySet<string>): unknown {
  const trimmed = text.trim();
  const first = trimmed.charAt(0);
  const wanted =
    (first === '[' && types.has('array')) ||
    (first === '{' && types.has('object')) ||
    ((types.has('number') || types.has('integer')) && NUMBER_TEXT.test(trimmed)) ||
    (types.has('boolean') && (trimmed === 'true' || trimmed === 'false'));
  if (!wanted) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return value;
  } catch {
    return text;
  }
}

/** The types that a schema admits at its top, undefined when that cannot be told. */
function typesOf(schema: unknown): ReadonlySet<string> | undefined {
  if (!isRecord(schema)) return undefined;
  const type = schema.type;
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.filter((one) => typeof one === 'string'));
  const choices = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(choices)) return undefined;
  const all = new Set<string>();
  for (const choice of choices) {
    const types = typesOf(choice);
    if (types === undefined) return undefined;
    for (const one of types) all.add(one);
  }
  return all;
}

function setOwn(out: Record<string, unknown>, key: string, value: unknown): void {
  // Defining is slow, and only this one name would be taken for something else.
  if (key !== '__proto__') {
    out[key] = value;
    return;
  }
  Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
}

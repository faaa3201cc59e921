import { DefinitionError } from './definitionError';
import { resolveReference } from './localReference';
import { keywordFault, patternFault, withoutRepeats } from './schemaKeywords';
import { isRecord, type JsonObject, type JsonValue, setOwn } from './wire';

const MAX_DEPTH = 60;
const MAX_NODES = 20_000;
/** The API refuses a request, the CLI silently drops a tool, that has another key than these. */
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Legal JSON Schema, but refused by the API at the root of a tool's input. */
const NOT_AT_ROOT = ['not', '$ref', 'if', 'enum', 'const'];
/** Likewise, but of these the CLI makes one list of fields, and tells the model in words. */
const CHOICES_AT_ROOT = ['anyOf', 'oneOf', 'allOf'];
const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
  'dependentRequired',
]);
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMAS = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);
interface Walk {
  /** The name under which the author gave the schema. */
  readonly place: string;
  /** Objects from the root to here; meeting one again means that the schema contains itself. */
  readonly above: Set<object>;
  nodes: number;
}

export interface NormalizeOptions {
  /** Of a server of others: choices at the root are left to the CLI. Our authors are told. */
  readonly choicesAtRoot?: boolean;
}

/**
 * A clean copy of a schema of a tool's input or output, of a form or of a method's params: JSON Schema
 * 2020-12, no `$schema`, keys in the order type, properties, required.
 * Draft-07 tuples and draft-04 exclusive bounds are rewritten; everything else that a strict reader
 * would refuse is refused here, since one bad schema makes the API reject the whole request.
 * @throws DefinitionError with the place (`input.properties.x.type`) and the reason
 */
export function normalizeSchema(
  given: unknown,
  place: 'input' | 'output' | 'form' | 'params' = 'input',
  { choicesAtRoot = false }: NormalizeOptions = {},
): JsonObject {
  if (!isRecord(given)) throw fault(place, 'is not a JSON Schema object');
  const schema = inPlaceOfReference(
    copySchema(given, place, { place, above: new Set(), nodes: 0 }),
  );
  if (schema.type !== 'object') throw fault(place, "needs type 'object' at its root");
  const refused = choicesAtRoot ? NOT_AT_ROOT : [...CHOICES_AT_ROOT, ...NOT_AT_ROOT];
  const illegal = refused.find((key) => Object.hasOwn(schema, key));
  if (illegal !== undefined) throw fault(place, `must not have '${illegal}' at its root`);
  const { type, properties, required, ...rest } = schema;
  const some = Array.isArray(required) && required.length > 0;
  return {
    type,
    properties: rootFields(properties, place === 'input'),
    ...(some ? { required } : {}),
    ...rest,
  };
}

function rootFields(properties: JsonValue | undefined, isForModel: boolean): JsonObject {
  const fields: JsonObject = {};
  for (const [key, field] of Object.entries(isRecord(properties) ? properties : {})) {
    // What is no tool's input is not shown to the API: there any key will do.
    if (isForModel && !PROPERTY_KEY.test(key)) {
      throw fault('input.properties', `'${key}' may only have 1 to 64 of A-Z a-z 0-9 _ . -`);
    }
    // A client of the official SDK takes no list with a truth value here; deeper down it does.
    setOwn(fields, key, field === true ? {} : field === false ? { not: {} } : (field ?? {}));
  }
  return fields;
}

/** What may differ beside a reference and within its target: it changes nothing of what fits. */
const SAYS_NOTHING = new Set(['title', 'description', '$defs', 'definitions', '$id', '$comment']);

/**
 * The root with the target of its local `$ref` in place of that, as zod writes one that has an id.
 * Left as it is where it refers to no object, or both say something different under one key.
 */
function inPlaceOfReference(root: JsonObject): JsonObject {
  let schema = root;
  for (let steps = 0; typeof schema.$ref === 'string'; steps += 1) {
    const { $ref, ...beside } = schema;
    const target = resolveReference($ref, root);
    if (steps > MAX_DEPTH || !isRecord(target)) return root;
    const differs = (key: string): boolean =>
      Object.hasOwn(target, key) && JSON.stringify(target[key]) !== JSON.stringify(beside[key]);
    if (Object.keys(beside).some((key) => !SAYS_NOTHING.has(key) && differs(key))) return root;
    schema = withoutUnused({ ...target, ...beside }, target, $ref);
  }
  return schema;
}

/** Without the definition that now stands at the root, unless something refers to it by `ref`. */
function withoutUnused(schema: JsonObject, definition: JsonObject, ref: string): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const isMap = (key === '$defs' || key === 'definitions') && isRecord(value);
    const kept = isMap ? others(value, definition) : value;
    if (kept !== undefined) setOwn(out, key, kept);
  }
  return JSON.stringify(out).includes(JSON.stringify(ref).slice(0, -1)) ? schema : out;
}

function others(definitions: JsonObject, definition: JsonObject): JsonObject | undefined {
  const kept = Object.entries(definitions).filter(([, one]) => one !== definition);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function copySchema(schema: Record<string, unknown>, place: string, walk: Walk): JsonObject {
  enter(schema, place, walk);
  const out: JsonObject = {};
  // The type first, wherever the author's library put it: whoever reads the schema looks for it.
  if (schema.type !== undefined) out.type = copyKeyword('type', schema.type, `${place}.type`, walk);
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || key === '$schema' || key === 'type') continue;
    setOwn(out, key, copyKeyword(key, value, `${place}.${key}`, walk));
  }
  walk.above.delete(schema);
  return modernize(out);
}

function copyKeyword(key: string, value: unknown, place: string, walk: Walk): JsonValue {
  if (SCHEMA_MAPS.has(key)) return copyMap(key, value, place, walk);
  if (SCHEMA_LISTS.has(key) || (key === 'items' && Array.isArray(value))) {
    if (!Array.isArray(value) || value.length === 0) throw fault(place, 'needs a list of schemas');
    return value.map((item, index) => copySub(item, `${place}[${index}]`, walk));
  }
  if (SCHEMAS.has(key)) return copySub(value, place, walk);
  const reason = keywordFault(key, value);
  if (reason !== undefined) throw fault(place, reason);
  return copyJson(withoutRepeats(key, value), place, walk);
}

function copyMap(keyword: string, value: unknown, place: string, walk: Walk): JsonObject {
  if (!isRecord(value)) throw fault(place, 'needs an object of schemas');
  enter(value, place, walk);
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const at = `${place}.${key}`;
    const reason = keyword === 'patternProperties' ? patternFault(key) : undefined;
    if (reason !== undefined) throw fault(at, reason);
    const isNames =
      keyword === 'dependentRequired' || (keyword === 'dependencies' && Array.isArray(item));
    setOwn(out, key, isNames ? copyKeyword('required', item, at, walk) : copySub(item, at, walk));
  }
  walk.above.delete(value);
  return out;
}

function copySub(value: unknown, place: string, walk: Walk): JsonValue {
  if (typeof value === 'boolean') return value;
  if (!isRecord(value)) throw fault(place, 'is not a schema');
  return copySchema(value, place, walk);
}

/** Rewrites what older drafts wrote otherwise, and drops what says nothing and costs tokens. */
function modernize(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.items)) {
    schema.prefixItems = schema.items;
    delete schema.items;
    if (schema.additionalItems !== undefined) schema.items = schema.additionalItems;
  }
  delete schema.additionalItems;
  splitDependencies(schema);
  if (typeof schema.$id === 'string' && /^#./u.test(schema.$id)) {
    schema.$anchor = schema.$id.slice(1);
    delete schema.$id;
  }
  exclusive(schema, 'exclusiveMinimum', 'minimum');
  exclusive(schema, 'exclusiveMaximum', 'maximum');
  if (schema.type === 'integer') {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  }
  const names = schema.propertyNames;
  if (isRecord(names) && names.type === 'string' && Object.keys(names).length === 1) {
    delete schema.propertyNames;
  }
  return schema;
}

/** Draft-07 has in one what 2020-12 has in two. */
function splitDependencies(schema: JsonObject): void {
  if (!isRecord(schema.dependencies)) return;
  const names: JsonObject = {};
  const schemas: JsonObject = {};
  for (const [key, own] of Object.entries(schema.dependencies)) {
    setOwn(Array.isArray(own) ? names : schemas, key, own);
  }
  delete schema.dependencies;
  add(schema, 'dependentRequired', names);
  add(schema, 'dependentSchemas', schemas);
}

function add(schema: JsonObject, key: string, more: JsonObject): void {
  const given = schema[key];
  if (Object.keys(more).length === 0) return;
  schema[key] = isRecord(given) ? { ...more, ...given } : more;
}

function exclusive(schema: JsonObject, key: string, bound: string): void {
  const value = schema[key];
  if (typeof value !== 'boolean') return;
  if (value && schema[bound] !== undefined) {
    schema[key] = schema[bound];
    Reflect.deleteProperty(schema, bound);
  } else Reflect.deleteProperty(schema, key);
}

function copyJson(value: unknown, place: string, walk: Walk): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw fault(place, `${typeof value} is not JSON`);
  enter(value, place, walk);
  const out: JsonValue = Array.isArray(value)
    ? value.map((item, index) => copyJson(item, `${place}[${index}]`, walk))
    : {};
  if (!Array.isArray(out) && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) setOwn(out, key, copyJson(item, `${place}.${key}`, walk));
    }
  }
  walk.above.delete(value);
  return out;
}

function enter(value: object, place: string, walk: Walk): void {
  if (walk.above.has(value)) throw fault(place, 'contains itself; use $defs and $ref');
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) throw fault(walk.place, 'is too large');
  if (walk.above.size >= MAX_DEPTH) throw fault(place, 'is nested too deeply');
  walk.above.add(value);
}

function fault(place: string, reason: string): DefinitionError {
  const short = place.length > 120 ? `${place.slice(0, 60)}…${place.slice(-60)}` : place;
  return new DefinitionError(`${short} ${reason}`);
}

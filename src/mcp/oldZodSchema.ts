import { DefinitionError } from './definitionError';
import { isSaidBySource } from './flaggedPatterns';
import type { OldZodShape, OldZodType } from './inputTypes';
import { isRecord, type JsonObject, type JsonValue, ownField } from './wire';

/** True for a schema of zod 3, told by its parts: the library itself is the author's, not ours. */
export function isOldZod(value: unknown): value is OldZodType {
  return isRecord(value) && !isRecord(value._zod) && isRecord(value._def) && 'safeParse' in value;
}

interface Walk {
  readonly defs: JsonObject;
  /** By the lazy schema: what it leads to is made anew with each look. */
  readonly lazy: Map<object, string>;
}

/**
 * JSON Schema of what a zod 3 schema takes. zod 3 cannot say it itself.
 * @throws DefinitionError for kinds that no JSON value fits, such as dates and functions
 */
export function oldZodToJson(schema: OldZodType): JsonObject {
  const walk: Walk = { defs: {}, lazy: new Map() };
  return withDefs(convert(schema, 'input', walk), walk);
}

/** The same of a shape, an object of schemas. */
export function oldShapeToJson(shape: OldZodShape): JsonObject {
  const walk: Walk = { defs: {}, lazy: new Map() };
  return withDefs(objectOf(shape, 'input', walk), walk);
}

function withDefs(schema: JsonObject, { defs }: Walk): JsonObject {
  return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs };
}

function convert(schema: unknown, place: string, walk: Walk): JsonObject {
  const def = ownField(schema, '_def');
  if (!isRecord(def)) throw fault(place, 'is not a zod schema');
  const made = convertKind(def, schema as OldZodType, place, walk);
  return typeof def.description === 'string' ? { ...made, description: def.description } : made;
}

type Kind = (
  def: Record<string, unknown>,
  schema: OldZodType,
  place: string,
  walk: Walk,
) => JsonObject;

const inner =
  (key: string): Kind =>
  (def, _schema, place, walk) =>
    convert(def[key], place, walk);

const KINDS = new Map<unknown, Kind>([
  ['ZodString', (def) => ({ type: 'string', ...stringChecks(def.checks) })],
  ['ZodNumber', (def) => numberOf(def.checks)],
  ['ZodBoolean', () => ({ type: 'boolean' })],
  ['ZodNull', () => ({ type: 'null' })],
  ['ZodAny', () => ({})],
  ['ZodUnknown', () => ({})],
  ['ZodUndefined', () => ({ not: {} })],
  ['ZodNever', () => ({ not: {} })],
  ['ZodLiteral', (def, _schema, place) => ({ const: plain(def.value, place) })],
  ['ZodEnum', (def, _schema, place) => ({ type: 'string', enum: plainList(def.values, place) })],
  ['ZodNativeEnum', (def) => ({ enum: nativeValues(def.values) })],
  ['ZodArray', arrayOf],
  ['ZodTuple', tupleOf],
  ['ZodObject', (_def, schema, place, walk) => wholeObject(schema, place, walk)],
  ['ZodRecord', (def, _schema, place, walk) => recordOf(def, place, walk)],
  ['ZodUnion', choices],
  ['ZodDiscriminatedUnion', choices],
  [
    'ZodIntersection',
    (def, _schema, place, walk) => ({
      allOf: [convert(def.left, place, walk), convert(def.right, place, walk)],
    }),
  ],
  ['ZodOptional', inner('innerType')],
  ['ZodReadonly', inner('innerType')],
  ['ZodCatch', inner('innerType')],
  ['ZodBranded', inner('type')],
  ['ZodEffects', inner('schema')],
  ['ZodPipeline', inner('in')],
  [
    'ZodNullable',
    (def, _schema, place, walk) => ({
      anyOf: [convert(def.innerType, place, walk), { type: 'null' }],
    }),
  ],
  ['ZodDefault', defaulted],
  ['ZodLazy', lazily],
]);

function convertKind(
  def: Record<string, unknown>,
  schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const kind = KINDS.get(def.typeName);
  if (kind === undefined) {
    throw fault(place, `is a ${textOf(def.typeName)}, which JSON Schema does not have`);
  }
  return kind(def, schema, place, walk);
}

function arrayOf(
  def: Record<string, unknown>,
  _schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const bound = (key: string): number | undefined => {
    const value = ownField(def[key], 'value');
    return typeof value === 'number' ? value : undefined;
  };
  const exact = bound('exactLength');
  return {
    type: 'array',
    items: convert(def.type, `${place}.items`, walk),
    minItems: exact ?? bound('minLength'),
    maxItems: exact ?? bound('maxLength'),
  };
}

function tupleOf(
  def: Record<string, unknown>,
  _schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const items: unknown[] = Array.isArray(def.items) ? def.items : [];
  const rest = isRecord(def.rest) ? convert(def.rest, `${place}.items`, walk) : false;
  const prefix = items.map((item, index) => convert(item, `${place}[${index}]`, walk));
  return {
    type: 'array',
    ...(prefix.length === 0 ? {} : { prefixItems: prefix }),
    items: rest,
    minItems: items.length,
  };
}

function wholeObject(schema: OldZodType, place: string, walk: Walk): JsonObject {
  const def = schema._def as Record<string, unknown>;
  // A function in zod 3; the schema's own `shape` calls it.
  const shape: unknown = result(def.shape) ?? def.shape;
  const made = objectOf(isRecord(shape) ? shape : {}, place, walk);
  const rest = ownField(def.catchall, '_def');
  if (isRecord(rest) && rest.typeName !== 'ZodNever') {
    return { ...made, additionalProperties: convert(def.catchall, place, walk) };
  }
  if (def.unknownKeys === 'strict') return { ...made, additionalProperties: false };
  return def.unknownKeys === 'passthrough' ? { ...made, additionalProperties: true } : made;
}

function objectOf(shape: Readonly<Record<string, unknown>>, place: string, walk: Walk): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const [key, value] of Object.entries(shape)) {
    const made = convert(value, `${place}.properties.${key}`, walk);
    Object.defineProperty(properties, key, { value: made, enumerable: true, configurable: true });
    if (!takesNothing(value)) required.push(key);
  }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** Whether the field may be left out. */
function takesNothing(schema: unknown): boolean {
  const def = ownField(schema, '_def');
  switch (ownField(def, 'typeName')) {
    case 'ZodOptional':
    case 'ZodDefault':
    case 'ZodCatch':
    case 'ZodAny':
    case 'ZodUnknown':
    case 'ZodUndefined':
      return true;
    case 'ZodNullable':
    case 'ZodReadonly':
      return takesNothing(ownField(def, 'innerType'));
    case 'ZodBranded':
      return takesNothing(ownField(def, 'type'));
    case 'ZodEffects':
      return takesNothing(ownField(def, 'schema'));
    case 'ZodPipeline':
      return takesNothing(ownField(def, 'in'));
    case 'ZodUnion': {
      const options = ownField(def, 'options');
      return Array.isArray(options) && options.some(takesNothing);
    }
    default:
      return false;
  }
}

function recordOf(def: Record<string, unknown>, place: string, walk: Walk): JsonObject {
  const keys = convert(def.keyType, `${place}.propertyNames`, walk);
  return {
    type: 'object',
    additionalProperties: convert(def.valueType, `${place}.additionalProperties`, walk),
    ...(Object.keys(keys).length > 1 ? { propertyNames: keys } : {}),
  };
}

function choices(
  def: Record<string, unknown>,
  _schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const options: unknown[] = Array.isArray(def.options) ? def.options : [];
  return {
    anyOf: options.map((option, index) => convert(option, `${place}.anyOf[${index}]`, walk)),
  };
}

function defaulted(
  def: Record<string, unknown>,
  _schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const value: unknown = result(def.defaultValue);
  return { ...convert(def.innerType, place, walk), default: plain(value, place) };
}

function lazily(
  def: Record<string, unknown>,
  schema: OldZodType,
  place: string,
  walk: Walk,
): JsonObject {
  const known = walk.lazy.get(schema);
  const name = known ?? `schema${walk.lazy.size}`;
  if (known === undefined) {
    walk.lazy.set(schema, name);
    const target: unknown = result(def.getter);
    walk.defs[name] = convert(target, place, walk);
  }
  return { $ref: `#/$defs/${name}` };
}

const FORMATS = new Map<unknown, string>([
  ['email', 'email'],
  ['url', 'uri'],
  ['uuid', 'uuid'],
  ['datetime', 'date-time'],
  ['date', 'date'],
  ['time', 'time'],
]);

function stringChecks(checks: unknown): JsonObject {
  const made: JsonObject = {};
  for (const check of Array.isArray(checks) ? checks : []) {
    const kind = ownField(check, 'kind');
    const value = ownField(check, 'value');
    const regex = ownField(check, 'regex');
    if (kind === 'min' && typeof value === 'number') made.minLength = value;
    else if (kind === 'max' && typeof value === 'number') made.maxLength = value;
    else if (kind === 'length' && typeof value === 'number') {
      made.minLength = value;
      made.maxLength = value;
    } else if (kind === 'regex' && regex instanceof RegExp && isSaidBySource(regex))
      made.pattern = regex.source;
    else if (FORMATS.has(kind)) made.format = FORMATS.get(kind);
  }
  return made;
}

function numberOf(checks: unknown): JsonObject {
  const made: JsonObject = { type: 'number' };
  for (const check of Array.isArray(checks) ? checks : []) {
    const value = ownField(check, 'value');
    const inclusive = ownField(check, 'inclusive') !== false;
    switch (ownField(check, 'kind')) {
      case 'int':
        made.type = 'integer';
        break;
      case 'min':
        if (typeof value === 'number') made[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
        break;
      case 'max':
        if (typeof value === 'number') made[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
        break;
      case 'multipleOf':
        if (typeof value === 'number') made.multipleOf = value;
    }
  }
  return made;
}

/** Of an enum of numbers the compiler also makes keys of the values: those are left out. */
function nativeValues(values: unknown): JsonValue[] {
  if (!isRecord(values)) return [];
  const keys = Object.keys(values).filter((key) => typeof values[String(values[key])] !== 'number');
  return [...new Set(keys.map((key) => values[key]))].filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
}

function plainList(values: unknown, place: string): JsonValue[] {
  return Array.isArray(values) ? values.map((value) => plain(value, place)) : [];
}

function plain(value: unknown, place: string): JsonValue {
  try {
    const text = JSON.stringify(value) as string | undefined;
    // What has been written as JSON is read as JSON.
    if (text !== undefined) return JSON.parse(text) as JsonValue;
  } catch {
    // Told below.
  }
  throw fault(place, 'has a value that is not JSON');
}

/** What a function without arguments gives; undefined for what is none. */
function result(fn: unknown): unknown {
  return typeof fn === 'function' ? Reflect.apply(fn, undefined, []) : undefined;
}

function textOf(typeName: unknown): string {
  return typeof typeName === 'string' ? typeName : 'schema of an unknown kind';
}

function fault(place: string, reason: string): DefinitionError {
  return new DefinitionError(`${place} ${reason}`);
}

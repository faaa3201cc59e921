import { object, safeParse, safeParseAsync } from 'zod/mini';
import { type $ZodType, toJSONSchema, version } from 'zod/v4/core';
import { MISFIT, quickDataSchema } from '../base/quickSchema';
import { checkAgainstSchema } from './checkAgainstSchema';
import { DefinitionError } from './definitionError';
import { dropFlagged } from './flaggedPatterns';
import type { OldZodShape } from './inputTypes';
import { normalizeSchema } from './normalizeSchema';
import { type Checked, parseOldShape, parseOldZod } from './oldZodParse';
import { isOldZod, oldShapeToJson, oldZodToJson } from './oldZodSchema';
import { problemLines, type Problem } from './problems';
import { argumentReader } from './readArguments';
import { isRecord, type JsonObject } from './wire';
import { zodProblems } from './zodProblems';

/** Arguments that fit, or one readable line for each field that does not. */
export type ParsedInput<Input> =
  | { readonly ok: true; readonly value: Input }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface ToolInputSchema<Input> {
  /** Made on first use, then kept. @throws DefinitionError */
  jsonSchema(): JsonObject;
  /** A promise only where the zod schema has something asynchronous in it. */
  parse(args: unknown): ParsedInput<Input> | Promise<ParsedInput<Input>>;
}

/**
 * `input`: what a model sends; its JSON texts are read and its unknown keys are told. `form` and
 * `params` are read in the same way, of a person and of a client; no API sees their keys.
 * `output`: what a handler made; it is taken as it is.
 */
export type Direction = 'input' | 'output' | 'form' | 'params';

/** Reads the ways in which an author may describe an object: zod 3 or 4, shape or schema, JSON Schema. */
export function createToolInput<Input>(
  given: unknown,
  direction: Direction = 'input',
): ToolInputSchema<Input> {
  let made: MadeInput | undefined;
  const use = (): MadeInput => (made ??= makeInput(given, direction));
  return {
    jsonSchema: () => use().schema,
    parse: (args) => {
      const { read, check } = use();
      const { value, problems } = read(args);
      const checked = check(value);
      return checked instanceof Promise
        ? checked.then((late) => parsedInput<Input>(problems, late))
        : parsedInput<Input>(problems, checked);
    },
  };
}

/** What is made of a schema once, for all calls. */
interface MadeInput {
  readonly schema: JsonObject;
  readonly read: (args: unknown) => {
    readonly value: unknown;
    readonly problems: readonly Problem[];
  };
  readonly check: (value: unknown) => Checked | Promise<Checked>;
}

function makeInput(given: unknown, direction: Direction): MadeInput {
  const reader = readerOf(given, direction);
  const schema = normalizeSchema(reader.json, direction);
  return {
    schema,
    read: direction === 'output' ? (value) => ({ value, problems: [] }) : argumentReader(schema),
    check: reader.parse ?? ((value) => ({ value, problems: checkAgainstSchema(value, schema) })),
  };
}

/** What one kind of schema can: say itself as JSON Schema, and check a value unless that does it. */
interface Reader {
  readonly json: unknown;
  readonly parse?: (value: unknown) => Checked | Promise<Checked>;
}

function readerOf(given: unknown, direction: Direction): Reader {
  if (!isRecord(given)) {
    throw new DefinitionError(`${direction} is neither a zod schema nor a JSON Schema`);
  }
  if (isZod(given)) return newReader(given, direction);
  if (isOldZod(given)) {
    return { json: oldZodToJson(given), parse: (value) => parseOldZod(given, value) };
  }
  const fields = Object.values(given);
  if (fields.every(isZod)) return newReader(object(ownFields(given, isZod)), direction);
  if (fields.every(isOldZod)) {
    const shape: OldZodShape = ownFields(given, isOldZod);
    return {
      json: oldShapeToJson(shape),
      parse: (value) => parseOldShape(shape, isRecord(value) ? value : {}),
    };
  }
  const odd = Object.entries(given).find(([, value]) => isZod(value) || isOldZod(value));
  if (odd === undefined) return { json: given };
  throw new DefinitionError(
    `${direction} mixes kinds of schemas: '${odd[0]}' is ${isZod(odd[1]) ? 'zod 4' : 'zod 3'}, others are not`,
  );
}

function newReader(zod: $ZodType, direction: Direction): Reader {
  // What an author brings along may be another version of zod, which has its own say.
  const quick = isOurs(zod) ? quickDataSchema(zod) : undefined;
  const parse = (value: unknown): Checked | Promise<Checked> => {
    const read = quick === undefined ? MISFIT : quick(value);
    return read === MISFIT ? parseZod(zod, value) : { value: read, problems: [] };
  };
  return { json: zodToJson(zod, direction), parse };
}

function isOurs(zod: $ZodType): boolean {
  return versionText(zod._zod.version) === versionText(version);
}

function versionText(parts: Readonly<Record<'major' | 'minor' | 'patch', number>>): string {
  return `${parts.major}.${parts.minor}.${parts.patch}`;
}

/** A copy with keys of its own only, `__proto__` among them. */
function ownFields<T>(
  given: Readonly<Record<string, unknown>>,
  isOne: (value: unknown) => value is T,
): Record<string, T> {
  const fields: Record<string, T> = {};
  for (const [key, value] of Object.entries(given)) {
    if (isOne(value)) Object.defineProperty(fields, key, { value, enumerable: true });
  }
  return fields;
}

function parsedInput<Input>(found: readonly Problem[], checked: Checked): ParsedInput<Input> {
  if (found.length === 0 && checked.problems.length === 0) {
    // The type is the schema's own output type, which the caller computed from the same value.
    return { ok: true, value: checked.value as Input };
  }
  return { ok: false, problems: problemLines([...found, ...checked.problems]) };
}

/** Known to have something asynchronous in them: what that asks for is not to be asked twice. */
const asynchronous = new WeakSet<$ZodType>();

function parseZod(zod: $ZodType, value: unknown): Checked | Promise<Checked> {
  const checked = (result: ReturnType<typeof safeParse>): Checked =>
    result.success
      ? { value: result.data, problems: [] }
      : { value: undefined, problems: zodProblems(result.error.issues, value) };
  if (asynchronous.has(zod)) return safeParseAsync(zod, value).then(checked);
  try {
    return checked(safeParse(zod, value));
  } catch {
    // That something in it is asynchronous each copy of zod tells by a class of its own: so it is
    // tried, and any other fault shows itself again.
    return safeParseAsync(zod, value).then((result) => {
      asynchronous.add(zod);
      return checked(result);
    });
  }
}

function zodToJson(zod: $ZodType, direction: Direction): unknown {
  const io = direction === 'output' ? 'output' : 'input';
  try {
    // Spread drops zod's hidden `~standard`, which is not enumerable.
    return { ...toJSONSchema(zod, { io, override: dropFlagged }) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new DefinitionError(`${direction} cannot be written as JSON Schema: ${reason}`, {
      cause,
    });
  }
}

function isZod(value: unknown): value is $ZodType {
  return isRecord(value) && isRecord(value._zod);
}

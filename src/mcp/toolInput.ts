import { object, safeParse, safeParseAsync } from 'zod/mini';
import { $ZodAsyncError, type $ZodType, toJSONSchema } from 'zod/v4/core';
import { checkAgainstSchema } from './checkAgainstSchema';
import { DefinitionError } from './definitionError';
import { normalizeSchema } from './normalizeSchema';
import { problemLines, type Problem } from './problems';
import { readArguments } from './readArguments';
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

/** Reads the three ways in which an author may describe a tool's input. */
export function createToolInput<Input>(input: unknown): ToolInputSchema<Input> {
  let schema: JsonObject | undefined;
  let zod: $ZodType | undefined;
  const jsonSchema = (): JsonObject => {
    if (schema === undefined) {
      zod = asZod(input);
      schema = normalizeSchema(zod === undefined ? input : zodToJson(zod));
    }
    return schema;
  };
  return {
    jsonSchema,
    parse: (args) => {
      const read = readArguments(args, jsonSchema());
      const checked =
        zod === undefined
          ? { value: read.value, problems: checkAgainstSchema(read.value, jsonSchema()) }
          : parseZod(zod, read.value);
      return checked instanceof Promise
        ? checked.then((late) => parsedInput<Input>(read.problems, late))
        : parsedInput<Input>(read.problems, checked);
    },
  };
}

interface Checked {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

function parsedInput<Input>(found: readonly Problem[], checked: Checked): ParsedInput<Input> {
  if (found.length === 0 && checked.problems.length === 0) {
    // The type is the schema's own output type, which `defineTool` computed from the same value.
    return { ok: true, value: checked.value as Input };
  }
  return { ok: false, problems: problemLines([...found, ...checked.problems]) };
}

function parseZod(zod: $ZodType, args: Record<string, unknown>): Checked | Promise<Checked> {
  const checked = (result: ReturnType<typeof safeParse>): Checked =>
    result.success
      ? { value: result.data, problems: [] }
      : { value: undefined, problems: zodProblems(result.error.issues, args) };
  try {
    return checked(safeParse(zod, args));
  } catch (error) {
    if (error instanceof $ZodAsyncError) return safeParseAsync(zod, args).then(checked);
    throw error;
  }
}

function zodToJson(zod: $ZodType): unknown {
  try {
    // Spread drops zod's hidden `~standard`, which is not enumerable.
    return { ...toJSONSchema(zod, { io: 'input' }) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new DefinitionError(`input cannot be written as JSON Schema: ${reason}`, { cause });
  }
}

/** The zod schema that the input is or, for a shape, stands for; undefined for plain JSON Schema. */
function asZod(input: unknown): $ZodType | undefined {
  if (!isRecord(input))
    throw new DefinitionError('input is neither a zod schema nor a JSON Schema');
  if (isZod(input)) return input;
  const entries = Object.entries(input);
  const foreign = entries.find(([, value]) => isOldZod(value));
  if (foreign !== undefined || isOldZod(input)) {
    throw new DefinitionError('input is a zod 3 schema; zod 4 is needed');
  }
  const shape: Record<string, $ZodType> = {};
  let plain = 0;
  for (const [key, value] of entries) {
    if (isZod(value)) Object.defineProperty(shape, key, { value, enumerable: true });
    else plain += 1;
  }
  if (plain === 0) return object(shape);
  if (plain < entries.length) {
    const odd = entries.find(([, value]) => !isZod(value))?.[0] ?? '';
    throw new DefinitionError(`input mixes zod with other values: '${odd}' is not a zod schema`);
  }
  return undefined;
}

function isZod(value: unknown): value is $ZodType {
  return isRecord(value) && isRecord(value._zod);
}

function isOldZod(value: unknown): boolean {
  return isRecord(value) && !isZod(value) && isRecord(value._def) && 'safeParse' in value;
}

import type { $ZodObject, $ZodType, $strip, output } from 'zod/v4/core';
import { createToolInput, type ParsedInput } from './toolInput';
import type { ToolContext } from './toolContext';
import type { JsonObject, ToolAnnotations } from './wire';

/** A plain JSON Schema (2020-12 or draft-07) whose root is an object. */
export interface JsonSchemaInput {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}
export type ZodShape = Readonly<Record<string, $ZodType>>;
export type ToolInput = $ZodType<Record<string, unknown>> | ZodShape | JsonSchemaInput;

/** The handler's argument: typed by zod; a plain JSON Schema gives a record of unknowns. */
export type InputOf<I extends ToolInput> = I extends $ZodType
  ? output<I>
  : I extends JsonSchemaInput
    ? Record<string, unknown>
    : I extends ZodShape
      ? output<$ZodObject<{ -readonly [K in keyof I]: I[K] }, $strip>>
      : never;

export interface ToolOptions<I extends ToolInput> {
  /** `[A-Za-z0-9_-]`; with `mcp__<server>__` at most 128 characters. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: I;
  readonly annotations?: ToolAnnotations;
  /** The schema is in the model's request from the start, not found by tool search. */
  readonly alwaysLoad?: boolean;
  /** Words by which tool search finds a tool that is not always loaded. */
  readonly searchHint?: string;
  /** Milliseconds that one call may take, 60,000 by default; the clock stands while the person is asked. */
  readonly timeoutMs?: number;
  /** Its value is turned into a result by `toResult`; what it throws becomes `Tool error: …`. */
  run(input: InputOf<I>, ctx: ToolContext): unknown;
}

/** A tool as the registry keeps it; the input's type is erased, `parseInput` gives it back. */
export interface ToolDefinition<Input = unknown> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
  readonly alwaysLoad: boolean;
  readonly searchHint?: string;
  readonly timeoutMs?: number;
  /**
   * JSON Schema as it goes over the wire: made on first use, then kept.
   * @throws DefinitionError when the schema cannot be used, with the place and the reason
   */
  readonly inputSchema: JsonObject;
  /** Checks the arguments of a call; never fails for bad ones. A promise only where the schema is async. */
  parseInput(args: unknown): ParsedInput<Input> | Promise<ParsedInput<Input>>;
  run(input: Input, ctx: ToolContext): unknown;
}

/** Describes one tool. Cheap: the schema is made and checked when the tool is registered. */
export function defineTool<const I extends ToolInput>(
  options: ToolOptions<I>,
): ToolDefinition<InputOf<I>> {
  const input = createToolInput<InputOf<I>>(options.input);
  return {
    name: options.name,
    title: options.title,
    description: options.description,
    annotations: options.annotations,
    alwaysLoad: options.alwaysLoad === true,
    searchHint: options.searchHint,
    timeoutMs: options.timeoutMs,
    get inputSchema() {
      return input.jsonSchema();
    },
    parseInput: (args) => input.parse(args),
    run: (value, ctx) => options.run(value, ctx),
  };
}

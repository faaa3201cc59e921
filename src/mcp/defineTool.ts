import { DefinitionError } from './definitionError';
import type { InputOf, ToolInput } from './inputTypes';
import { createToolInput, type ParsedInput } from './toolInput';
import type { ToolContext } from './toolContext';
import type { JsonObject, ToolAnnotations } from './wire';

export interface ToolOptions<I extends ToolInput> {
  /** `[A-Za-z0-9_-]`; with `mcp__<server>__` at most 128 characters. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly input: I;
  /** What the handler's object must fit; it is then sent as `structuredContent` besides its JSON text. */
  readonly output?: ToolInput | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** The schema is in the model's request from the start, not found by tool search. */
  readonly alwaysLoad?: boolean | undefined;
  /** Words by which tool search finds a tool that is not always loaded. */
  readonly searchHint?: string | undefined;
  /** Characters of a result that the CLI hands to the model whole; by default about 50,000. */
  readonly maxResultChars?: number | undefined;
  /** The CLI asks before each call, in every permission mode, and offers no rule to allow it always. */
  readonly requiresUserInteraction?: boolean | undefined;
  /**
   * Of a tool that writes files: the paths that this call will write, absolute or relative to the
   * conversation's folder. Asked before the call, and once more when it runs; must not change
   * anything. Where all lie in the workspace and none is protected, accept-edits lets the call run
   * without a question; else the person is asked. An empty list counts as any other tool that acts.
   */
  edits?(input: InputOf<I>): readonly string[] | Promise<readonly string[]>;
  /**
   * Of a tool that acts: whether this very call only reads, as a list does. It is then judged as one
   * of a tool with `readOnlyHint`. Must not change anything; for tools of our own.
   */
  reads?(input: InputOf<I>): boolean;
  /** More `_meta` for the list, such as hints of another client. */
  readonly meta?: JsonObject | undefined;
  /** Milliseconds that one call may take, 60,000 by default; the clock stands while the person is asked. */
  readonly timeout?: number | undefined;
  /** Each report of progress starts the time anew. */
  readonly progressExtends?: boolean | undefined;
  /** Its value is turned into a result by `toResult`; what it throws becomes `Tool error: …`. */
  run(input: InputOf<I>, ctx: ToolContext): unknown;
}

/** A tool as the registry keeps it; the input's type is erased, `parseInput` gives it back. */
export interface ToolDefinition<Input = unknown> {
  readonly kind: 'tool';
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly annotations?: ToolAnnotations | undefined;
  readonly alwaysLoad: boolean;
  readonly searchHint?: string | undefined;
  readonly maxResultChars?: number | undefined;
  readonly requiresUserInteraction?: boolean | undefined;
  /** Absent for a tool that does not say which files it writes. */
  edits?(input: Input): readonly string[] | Promise<readonly string[]>;
  /** Absent for a tool whose calls are all of one kind. */
  reads?(input: Input): boolean;
  readonly meta?: JsonObject | undefined;
  readonly timeout?: number | undefined;
  readonly progressExtends: boolean;
  /**
   * JSON Schema as it goes over the wire: made on first use, then kept.
   * @throws DefinitionError when the schema cannot be used, with the place and the reason
   */
  readonly inputSchema: JsonObject;
  /** The same of the result; undefined for a tool that has none. */
  readonly outputSchema: JsonObject | undefined;
  /** Checks the arguments of a call; never fails for bad ones. A promise only where the schema is async. */
  parseInput(args: unknown): ParsedInput<Input> | Promise<ParsedInput<Input>>;
  /** Absent where there is no output schema. */
  readonly parseOutput?: (
    value: unknown,
  ) => ParsedInput<JsonObject> | Promise<ParsedInput<JsonObject>>;
  run(input: Input, ctx: ToolContext): unknown;
}

/** Describes one tool. Cheap: the schemas are made and checked when the tool is registered. */
export function defineTool<const I extends ToolInput>(
  options: ToolOptions<I>,
): ToolDefinition<InputOf<I>> {
  // Also from plain JavaScript, where nothing is certain.
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new DefinitionError('A tool needs an object that describes it');
  }
  const input = createToolInput<InputOf<I>>(options.input);
  const output =
    options.output === undefined
      ? undefined
      : createToolInput<JsonObject>(options.output, 'output');
  return {
    kind: 'tool',
    name: options.name,
    title: options.title,
    description: options.description,
    annotations: options.annotations,
    alwaysLoad: options.alwaysLoad === true,
    searchHint: options.searchHint,
    maxResultChars: options.maxResultChars,
    requiresUserInteraction: options.requiresUserInteraction,
    meta: options.meta,
    timeout: options.timeout,
    progressExtends: options.progressExtends === true,
    get inputSchema() {
      return input.jsonSchema();
    },
    get outputSchema() {
      return output?.jsonSchema();
    },
    parseInput: (args) => input.parse(args),
    ...(options.edits === undefined ? {} : { edits: editsOf(options) }),
    ...(options.reads === undefined
      ? {}
      : { reads: (value: InputOf<I>) => options.reads?.(value) === true }),
    ...(output === undefined ? {} : { parseOutput: (value: unknown) => output.parse(value) }),
    run: (value, ctx) => options.run(value, ctx),
  };
}

/** Called as a method of its options, as `run` is. */
function editsOf<I extends ToolInput>(
  options: ToolOptions<I>,
): (input: InputOf<I>) => readonly string[] | Promise<readonly string[]> {
  return (input) => (options.edits === undefined ? [] : options.edits(input));
}

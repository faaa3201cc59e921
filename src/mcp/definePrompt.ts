import type { Completer } from './completion';
import type { InputOf, ToolInput } from './inputTypes';
import { createToolInput, type ParsedInput } from './toolInput';
import type { ToolContext } from './toolContext';
import { type ContentBlock, isRecord, type JsonObject, ownField, type WirePrompt } from './wire';

/** A message of a prompt: `text` for the plain kind, `content` for every other. */
export type PromptLine =
  | { readonly role?: 'user' | 'assistant'; readonly text: string }
  | { readonly role?: 'user' | 'assistant'; readonly content: ContentBlock };

export interface PromptOptions<I extends ToolInput> {
  /** `[A-Za-z0-9_-]`; what a person types behind the slash. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Arguments are texts for whoever types them: `z.coerce` and enums make more of them. */
  readonly arguments?: I;
  readonly meta?: JsonObject;
  /** Milliseconds that it may take, 60,000 by default. */
  readonly timeout?: number;
  /** A text, one message, or a list of them. */
  run(
    args: InputOf<I>,
    ctx: ToolContext,
  ):
    | string
    | PromptLine
    | readonly PromptLine[]
    | Promise<string | PromptLine | readonly PromptLine[]>;
  /** Values for the arguments while somebody types them; those of an enum are known without. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** A prompt as the registry keeps it. */
export interface PromptDefinition {
  readonly kind: 'prompt';
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly timeout?: number;
  /** Made on first use. @throws DefinitionError when the arguments cannot be described */
  readonly wire: WirePrompt;
  parseArguments(args: unknown): ParsedInput<unknown> | Promise<ParsedInput<unknown>>;
  run(args: unknown, ctx: ToolContext): unknown;
  readonly complete: ReadonlyMap<string, Completer>;
}

/** Describes one prompt, which the person calls with a slash. */
export function definePrompt<const I extends ToolInput = Record<string, never>>(
  options: PromptOptions<I>,
): PromptDefinition {
  const input = createToolInput<InputOf<I>>(options.arguments ?? {});
  let wire: WirePrompt | undefined;
  let complete: ReadonlyMap<string, Completer> | undefined;
  return {
    kind: 'prompt',
    name: options.name,
    title: options.title,
    description: options.description,
    timeout: options.timeout,
    get wire() {
      return (wire ??= wirePrompt(options, input.jsonSchema()));
    },
    parseArguments: (args) => input.parse(args),
    // What `parseArguments` gave for the same prompt.
    run: (args, ctx) => options.run(args as InputOf<I>, ctx),
    get complete() {
      return (complete ??= completers(input.jsonSchema(), options.complete));
    },
  };
}

function wirePrompt(options: PromptOptions<ToolInput>, schema: JsonObject): WirePrompt {
  const { name, title, description, meta } = options;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  return {
    name,
    title,
    description,
    ...(fields.length === 0
      ? {}
      : {
          arguments: fields.map(([field, own]) => {
            const text = ownField(own, 'description');
            return {
              name: field,
              ...(typeof text === 'string' ? { description: text } : {}),
              required: required.includes(field),
            };
          }),
        }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/** The author's completers; for an enum without one the choices that begin with the text. */
function completers(
  schema: JsonObject,
  given: Readonly<Record<string, Completer>> = {},
): ReadonlyMap<string, Completer> {
  const all = new Map<string, Completer>();
  for (const [field, own] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    const choices = ownField(own, 'enum');
    if (!Array.isArray(choices)) continue;
    const texts = choices.filter((choice) => typeof choice === 'string');
    all.set(field, (value) => texts.filter((text) => text.startsWith(value)));
  }
  for (const [field, completer] of Object.entries(given)) all.set(field, completer);
  return all;
}

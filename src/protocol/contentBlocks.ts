import {
  boolean,
  custom,
  literal,
  nullish,
  object,
  pipe,
  string,
  transform,
  union,
  unknown,
} from 'zod/mini';
import { detail, fit, isJsonObject, jsonObject, lazySchema, type Parsed } from './lazySchema';

/** A block, message, event or delta of a kind that is not known here: kept whole. */
export interface Unknown {
  readonly type: 'unknown';
  readonly raw: unknown;
}

const textBlock = lazySchema(() => object({ type: literal('text'), text: string() }));

const thinkingBlock = lazySchema(() =>
  object({ type: literal('thinking'), thinking: string(), signature: detail(string()) }),
);

const redactedThinkingBlock = lazySchema(() =>
  object({ type: literal('redacted_thinking'), data: detail(string()) }),
);

const toolUseBlock = lazySchema(() =>
  object({ type: literal('tool_use'), id: string(), name: string(), input: nullish(unknown()) }),
);

const toolResultBlock = lazySchema(() =>
  object({
    type: literal('tool_result'),
    tool_use_id: string(),
    content: nullish(union([string(), innerBlockList()])),
    is_error: detail(boolean()),
  }),
);

const sourceSchema = lazySchema(() =>
  object({
    type: string(),
    media_type: detail(string()),
    data: detail(string()),
    url: detail(string()),
  }),
);

const imageBlock = lazySchema(() => object({ type: literal('image'), source: sourceSchema() }));

const documentBlock = lazySchema(() =>
  object({ type: literal('document'), source: jsonObject(), title: detail(string()) }),
);

export type TextBlock = Parsed<typeof textBlock>;
export type ThinkingBlock = Parsed<typeof thinkingBlock>;
export type RedactedThinkingBlock = Parsed<typeof redactedThinkingBlock>;
export type ToolUseBlock = Parsed<typeof toolUseBlock>;
export type ImageBlock = Parsed<typeof imageBlock>;
export type DocumentBlock = Parsed<typeof documentBlock>;
export type UnknownBlock = Unknown;

/** `content` is a string or blocks; `is_error` may be absent on success. */
export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | ContentBlock[] | null | undefined;
  is_error?: boolean | undefined;
}

/** One block of a message's content, as both sides of the conversation write it. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | UnknownBlock;

const parsers = new Map<string, (value: unknown) => ContentBlock | undefined>([
  ['text', (value) => orUndefined(fit(textBlock(), value))],
  ['thinking', (value) => orUndefined(fit(thinkingBlock(), value))],
  ['redacted_thinking', (value) => orUndefined(fit(redactedThinkingBlock(), value))],
  ['tool_use', (value) => orUndefined(fit(toolUseBlock(), value))],
  ['tool_result', (value) => orUndefined(fit(toolResultBlock(), value))],
  ['image', (value) => orUndefined(fit(imageBlock(), value))],
  ['document', (value) => orUndefined(fit(documentBlock(), value))],
]);

function orUndefined<T>(result: { ok: true; value: T } | { ok: false }): T | undefined {
  return result.ok ? result.value : undefined;
}

/** Never throws: a block of an unknown kind, or a known one that does not fit, is kept as unknown. */
export function parseContentBlock(value: unknown): ContentBlock {
  const kind = isJsonObject(value) ? value.type : undefined;
  const parse = typeof kind === 'string' ? parsers.get(kind) : undefined;
  return parse?.(value) ?? { type: 'unknown', raw: value };
}

/** A result stands in no result: without this, brackets in brackets would be as many calls in calls. */
function parseInnerBlock(value: unknown): ContentBlock {
  const isResult = isJsonObject(value) && value.type === 'tool_result';
  return isResult ? { type: 'unknown', raw: value } : parseContentBlock(value);
}

/**
 * More than any message has. A server's result of 64 MiB can hold millions, and a parsed block takes
 * many times the bytes that it came in; then the whole list is kept as one unknown block.
 */
export const MAX_BLOCKS = 10_000;

/** A block on its own, where it may be of any kind. */
export const contentBlock = () => pipe(unknown(), transform(parseContentBlock));

/** A list of blocks; what is in it never fails. */
const contentBlockList = () => blockList(parseContentBlock);
const innerBlockList = () => blockList(parseInnerBlock);

function blockList(parse: (value: unknown) => ContentBlock) {
  return pipe(
    custom<readonly unknown[]>(Array.isArray),
    transform((list: readonly unknown[]): ContentBlock[] =>
      list.length > MAX_BLOCKS
        ? [{ type: 'unknown', raw: list }]
        : list.map((entry) => parse(entry)),
    ),
  );
}

/** A message's `content`: a string or blocks. */
export const messageContent = () => union([string(), contentBlockList()]);

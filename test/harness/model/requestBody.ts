import * as z from 'zod/mini';
import { type ToolResult, type Turn } from './script';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  input: z.optional(z.record(z.string(), z.unknown())),
  tool_use_id: z.optional(z.string()),
  is_error: z.optional(z.nullable(z.boolean())),
  content: z.optional(z.unknown()),
});
const contentSchema = z.union([z.string(), z.array(blockSchema)]);

/** The Messages API request, as loosely as the scripted model needs it. */
export const requestBodySchema = z.looseObject({
  model: z.string(),
  stream: z.optional(z.boolean()),
  max_tokens: z.optional(z.number()),
  system: z.optional(contentSchema),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z.optional(z.array(z.looseObject({ name: z.string() }))),
});

export type RequestBody = z.infer<typeof requestBodySchema>;
type Content = z.infer<typeof contentSchema>;
type Block = z.infer<typeof blockSchema>;

// What the CLI writes into user messages on its own account.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const SYNTHETIC = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;

/** Reads the turn out of a request: the last words of the person and what followed them. */
export function readTurn(body: RequestBody): Turn {
  const calls = new Map<string, Block>();
  let prompt = '';
  let results: ToolResult[] = [];
  let step = 0;
  for (const message of body.messages) {
    const blocks = blocksOf(message.content);
    if (message.role === 'assistant') {
      step += 1;
      for (const block of blocks) {
        if (block.type === 'tool_use' && block.id !== undefined) calls.set(block.id, block);
      }
    }
    if (message.role !== 'user') continue;
    // Text may stand beside results: a prompt that follows an interrupted call shares its message.
    for (const block of blocks) {
      if (block.type === 'tool_result') results.push(toolResult(block, calls));
      const words = block.type === 'text' ? spoken(block.text ?? '') : '';
      if (words !== '') {
        prompt = words;
        results = [];
        step = 0;
      }
    }
  }
  const tools = (body.tools ?? []).map((tool) => tool.name);
  return { prompt, results, step, tools, context: contextOf(body) };
}

function toolResult(block: Block, calls: ReadonlyMap<string, Block>): ToolResult {
  const id = block.tool_use_id ?? '';
  const call = calls.get(id);
  return {
    id,
    name: call?.name ?? '',
    input: call?.input ?? {},
    text: plainText(block.content),
    isError: block.is_error === true,
  };
}

function spoken(words: string): string {
  const rest = words.replace(REMINDER, '').trim();
  return SYNTHETIC.test(rest) ? '' : rest;
}

function contextOf(body: RequestBody): string {
  const parts = blocksOf(body.system ?? '').map((block) => block.text ?? '');
  for (const message of body.messages) {
    for (const block of blocksOf(message.content)) {
      const words = block.text ?? '';
      if (message.role === 'system') parts.push(words);
      else if (message.role === 'user') parts.push(...(words.match(REMINDER) ?? []));
    }
  }
  return parts.join('\n');
}

function blocksOf(content: Content): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The text of a tool result, whatever shape the CLI gave it. */
function plainText(content: unknown): string {
  const parsed = contentSchema.safeParse(content);
  if (!parsed.success) return '';
  return blocksOf(parsed.data)
    .map((block) => block.text ?? '')
    .join('\n');
}

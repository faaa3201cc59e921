import * as z from 'zod/mini';
import type { ToolResult, Turn } from './script';

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
const CLI_WORDS = new RegExp(
  [
    String.raw`<system-reminder>[\s\S]*?</system-reminder>`,
    String.raw`<(local-command-\w+|command-\w+)>[\s\S]*?</\1>`,
    String.raw`\[Request interrupted by user[^\]]*\]`,
    String.raw`\[Image: source: [^\]]*\]`,
    String.raw`This session is being continued from a previous conversation[\s\S]*`,
  ].join('|'),
  'g',
);
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
// A prompt sent while a tool ran: it joins the running turn instead of beginning one.
const ASIDE = /^The user sent a new message while you were working:\s*/;

/** Reads the turn out of a request: the last words of the person and what followed them. */
export function readTurn(body: RequestBody): Turn {
  const calls = new Map<string, Block>();
  let turn = emptyTurn('');
  for (const message of body.messages) {
    const blocks = blocksOf(message.content);
    if (message.role === 'assistant') {
      turn.step += 1;
      for (const block of blocks) {
        if (block.type === 'tool_use' && block.id !== undefined) calls.set(block.id, block);
      }
      continue;
    }
    // Text may stand beside results: a prompt that follows an interrupted call shares its message.
    for (const block of blocks) {
      if (block.type === 'tool_result') turn.results.push(toolResult(block, calls));
      const words = block.type === 'text' ? spoken(block.text ?? '') : '';
      if (ASIDE.test(words)) turn.asides.push(words.replace(ASIDE, ''));
      else if (words !== '' && message.role === 'user') turn = emptyTurn(words);
    }
  }
  const tools = (body.tools ?? []).map((tool) => tool.name);
  return { ...turn, tools, context: contextOf(body) };
}

/** The whole talk of a request, a line for each block, without what the CLI adds of its own. */
export function readTalk(body: RequestBody): readonly string[] {
  return body.messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : blocksOf(content).flatMap((block) => talkLine(role, block)),
  );
}

function talkLine(role: string, block: Block): readonly string[] {
  if (block.type === 'tool_use') return [`${role}: call ${block.name ?? ''}`];
  if (block.type === 'tool_result') return [`${role}: result ${plainText(block.content)}`];
  const words = block.type === 'text' ? spoken(block.text ?? '') : '';
  return words === '' ? [] : [`${role}: ${words}`];
}

interface TurnParts {
  prompt: string;
  results: ToolResult[];
  asides: string[];
  step: number;
}

const emptyTurn = (prompt: string): TurnParts => ({ prompt, results: [], asides: [], step: 0 });

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
  return words.replace(CLI_WORDS, '').trim();
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

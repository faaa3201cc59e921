import { cutText } from '../base/cutText';
import type { CallToolResult, ContentBlock } from '../mcp/wire';

/** Keeps the whole of something and says where; undefined where that was not possible. */
export type KeepWhole = (
  content: string | Uint8Array,
  ending: string,
) => Promise<string | undefined>;

/** Base64 of one image, sound or file that goes to the model. */
const MAX_DATA = 10_000_000;
/** A result with an object of its own is given to the model as that object's JSON. */
const KEPT_ROOM = 400;

/**
 * Cuts a result at so many characters of text. What was cut is kept whole in a file that is named
 * at the end; what the model does not see it can then read.
 */
export async function cutResult(
  result: CallToolResult,
  maxChars: number,
  keep: KeepWhole,
): Promise<CallToolResult> {
  const structured = result.structuredContent;
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  const length = json?.length ?? textLength(result.content);
  const fits = length <= maxChars;
  if (fits && !result.content.some(isTooLarge)) return result;
  const content: ContentBlock[] = [];
  let left = Math.max(0, maxChars - KEPT_ROOM);
  for (const block of result.content) {
    if (isTooLarge(block)) content.push(await keptData(block, keep));
    else if (fits || block.type !== 'text') content.push(block);
    else {
      const text = cutText(block.text, left);
      left -= text.length;
      if (text !== '') content.push({ type: 'text', text });
    }
  }
  if (fits) return { ...result, content };
  const whole = json ?? wholeText(result.content);
  const file = await keep(whole, json === undefined ? 'txt' : 'json');
  content.push({ type: 'text', text: cutNote(whole.length, file) });
  return { ...result, content, structuredContent: undefined };
}

function textLength(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
}

function wholeText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function cutNote(length: number, file: string | undefined): string {
  return file === undefined
    ? `[The result was cut: it has ${length} characters, and the whole could not be kept.]`
    : `[The result was cut: it has ${length} characters. The whole is in ${file}]`;
}

function dataOf(block: ContentBlock): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' ? (block.resource.blob ?? block.resource.text) : undefined;
}

function isTooLarge(block: ContentBlock): boolean {
  return (dataOf(block)?.length ?? 0) > MAX_DATA;
}

async function keptData(block: ContentBlock, keep: KeepWhole): Promise<ContentBlock> {
  const data = dataOf(block) ?? '';
  const isText = block.type === 'resource' && block.resource.blob === undefined;
  const bytes = isText ? Buffer.from(data) : Buffer.from(data, 'base64');
  const file = await keep(bytes, isText ? 'txt' : 'bin');
  const where = file === undefined ? 'it could not be kept' : `it is in ${file}`;
  return {
    type: 'text',
    text: `[This ${block.type} of ${bytes.length} bytes is too large to be shown; ${where}]`,
  };
}

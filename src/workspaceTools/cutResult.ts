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
 * Cuts a result at so many characters, those of embedded resources and of links too. What was cut is
 * kept whole in a file that is named at the end; what the model does not see it can then read.
 */
export async function cutResult(
  result: CallToolResult,
  maxChars: number,
  keep: KeepWhole,
): Promise<CallToolResult> {
  const structured = result.structuredContent;
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  const length = json?.length ?? result.content.reduce((sum, block) => sum + charsOf(block), 0);
  const fits = length <= maxChars;
  if (fits && !result.content.some(isTooLarge)) return result;
  const content: ContentBlock[] = [];
  let left = Math.max(0, maxChars - KEPT_ROOM);
  for (const block of result.content) {
    if (isTooLarge(block)) content.push(await keptData(block, keep));
    else if (fits) content.push(block);
    else {
      const start = startOf(block, left);
      if (start === undefined) continue;
      left -= charsOf(start);
      content.push(start);
    }
  }
  if (fits) return { ...result, content };
  // Beside an object the texts say the same once more.
  const others = result.content.filter(({ type }) => json === undefined || type !== 'text');
  const lines = others.filter((block) => charsOf(block) > 0).map(linesOf);
  const isJson = json !== undefined && lines.length === 0;
  const whole = json === undefined ? lines.join('\n') : [json, ...lines].join('\n');
  const file = await keep(whole, isJson ? 'json' : 'txt');
  content.push({ type: 'text', text: cutNote(whole.length, file) });
  return { ...result, content, structuredContent: undefined };
}

/** What the model reads of it; the data of pictures and sounds has a limit of its own. */
function charsOf(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'resource':
      return block.resource.uri.length + (block.resource.text?.length ?? 0);
    case 'resource_link':
      return block.uri.length + block.name.length + (block.description?.length ?? 0);
    case 'image':
    case 'audio':
      return 0;
  }
}

/** As much of it as fits; undefined for nothing. */
function startOf(block: ContentBlock, left: number): ContentBlock | undefined {
  if (charsOf(block) <= left) return block;
  if (block.type === 'text') {
    const text = cutText(block.text, left);
    return text === '' ? undefined : { type: 'text', text };
  }
  // Half a link, or the name of data that is not there, is of no use.
  if (block.type !== 'resource' || block.resource.text === undefined) return undefined;
  const { resource } = block;
  const text = cutText(block.resource.text, Math.max(0, left - resource.uri.length));
  return text === '' ? undefined : { ...block, resource: { ...resource, text } };
}

/** As it stands in the file with the whole. */
function linesOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return `${block.resource.uri}\n${block.resource.text ?? ''}`;
    case 'resource_link':
      return [block.uri, block.name, block.description].filter(Boolean).join(' ');
    case 'image':
    case 'audio':
      return '';
  }
}

function cutNote(length: number, file: string | undefined): string {
  return file === undefined
    ? `[The result was cut: it has ${length} characters, and the whole could not be kept.]`
    : `[The result was cut: it has ${length} characters. The whole is in ${file}]`;
}

function dataOf(block: ContentBlock): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' ? block.resource.blob : undefined;
}

function isTooLarge(block: ContentBlock): boolean {
  return (dataOf(block)?.length ?? 0) > MAX_DATA;
}

async function keptData(block: ContentBlock, keep: KeepWhole): Promise<ContentBlock> {
  const bytes = Buffer.from(dataOf(block) ?? '', 'base64');
  const file = await keep(bytes, 'bin');
  const where = file === undefined ? 'it could not be kept' : `it is in ${file}`;
  return {
    type: 'text',
    text: `[This ${block.type} of ${bytes.length} bytes is too large to be shown; ${where}]`,
  };
}

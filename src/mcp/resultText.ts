import { type CallToolResult, isRecord, ownField } from './wire';

/**
 * A result as the model gets it, as a text: what is not text is named with its type and size. Where
 * there is structured content the CLI gives the model that, in place of the text.
 */
export function resultText(result: CallToolResult): string {
  const { structuredContent } = result;
  // Of a server of others anything may come.
  const listed: unknown = result.content;
  const content: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const blocks = content.map(blockText);
  if (structuredContent === undefined) return blocks.join('\n');
  const others = content.filter((block) => ownField(block, 'type') !== 'text').map(blockText);
  return [JSON.stringify(structuredContent, undefined, 2), ...others].join('\n');
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return '';
  switch (block.type) {
    case 'text':
      return String(block.text);
    case 'image':
    case 'audio':
      return `[${block.type}: ${String(block.mimeType)}, ${bytesOf(block.data)} bytes]`;
    case 'resource_link':
      return `[link to ${String(block.name)}: ${String(block.uri)}]`;
    case 'resource':
      return resourceText(block.resource);
    default:
      return JSON.stringify(block);
  }
}

function resourceText(resource: unknown): string {
  if (!isRecord(resource)) return '[resource]';
  const { uri, text, blob, mimeType } = resource;
  if (typeof text === 'string') return `[resource ${String(uri)}]\n${text}`;
  return `[resource ${String(uri)}: ${typeof mimeType === 'string' ? mimeType : 'binary'}, ${bytesOf(blob)} bytes]`;
}

function bytesOf(base64: unknown): number {
  const length = typeof base64 === 'string' ? base64.replace(/=+$/, '').length : 0;
  return Math.floor((length * 3) / 4);
}

import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import type { ContentBlock, ToolResultBlock } from '../protocol/contentBlocks';
import { isJsonObject } from '../protocol/lazySchema';
import { countLines } from './boundedText';
import type { ImageData } from './imageShelf';
import { IMAGE_TYPES } from './toolPartsProtocol';
import { RESULT_TEXT_LIMIT, type ToolResult } from './viewStateProtocol';

/** The whole text of a result, uncut, and what stood beside it. For working out a row's summary. */
export interface ReadResult {
  readonly text: string;
  readonly attachments: readonly string[];
  readonly images?: readonly ImageData[];
}

/** A server may return thousands of parts; the panel draws each. */
const MAX_ATTACHMENTS = 50;
const MAX_IMAGES = 50;

/** Reads a `tool_result` block: text parts joined by newlines, pictures, other parts as one line each. */
export function readToolResult(block: ToolResultBlock): ReadResult {
  const { content } = block;
  if (content === undefined || content === null) return { text: '', attachments: [] };
  if (typeof content === 'string') return { text: withoutErrorTag(content), attachments: [] };
  const texts: string[] = [];
  const images: ImageData[] = [];
  const attachments: string[] = [];
  for (const part of content) {
    const image = images.length < MAX_IMAGES ? readImage(part) : undefined;
    if (part.type === 'text') texts.push(part.text);
    else if (image) images.push(image);
    else attachments.push(attachmentLine(part));
  }
  return {
    text: withoutErrorTag(texts.join('\n')),
    attachments: boundLines(attachments),
    ...(images.length > 0 ? { images } : {}),
  };
}

/** One that a page can draw. */
function readImage(part: ContentBlock): ImageData | undefined {
  if (part.type !== 'image') return undefined;
  const { media_type: mediaType = '', data = '' } = part.source;
  return IMAGE_TYPES.includes(mediaType) && data !== '' ? { mediaType, data } : undefined;
}

function boundLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - MAX_ATTACHMENTS;
  return left <= 0
    ? lines
    : [...lines.slice(0, MAX_ATTACHMENTS), l10n.t('… and {0} more parts', left)];
}

/** The texts in the `content` of a `tool_use_result`, which a subagent's call has. */
export function readContentTexts(result: unknown): string | undefined {
  if (!isJsonObject(result) || !Array.isArray(result.content)) return undefined;
  const texts = result.content.flatMap((part: unknown) =>
    isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
  );
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** Cuts a result for the view: of what a command printed the end is kept. */
export function boundResult(
  read: ReadResult,
  isError: boolean,
  keep: 'start' | 'end' = 'start',
): ToolResult {
  const { text, attachments, images = [] } = read;
  const isEnd = keep === 'end';
  return {
    text: isEnd ? cutStart(text, RESULT_TEXT_LIMIT) : cutText(text, RESULT_TEXT_LIMIT),
    size: text.length,
    lines: countLines(text),
    isError,
    ...(isEnd ? { isEnd } : {}),
    ...(images.length > 0
      ? { images: images.map(({ mediaType, data }) => ({ mediaType, bytes: byteCount(data) })) }
      : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

/** The end of a text, from the start of a line where there is one near. */
function cutStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.slice(-limit).replace(/^[\uDC00-\uDFFF]/, '');
  const line = end.indexOf('\n') + 1;
  return line > 0 && line < 400 ? end.slice(line) : end;
}

/** Of base64. */
function byteCount(data: string): number {
  return Math.floor((data.length * 3) / 4);
}

/** A size in bytes for a reader: `812 B`, `3.2 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} B', bytes);
  if (bytes < 999_500) return l10n.t('{0} KB', roundShort(bytes / 1000));
  return l10n.t('{0} MB', roundShort(bytes / 1_000_000));
}

/** Tokens for a reader: `48`, `1.2k`, `62k`. */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${roundShort(tokens / 1000)}k`;
}

function roundShort(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

// The tags are for the model; they would only stand in the reader's way.
function withoutErrorTag(text: string): string {
  const inner = /^<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/.exec(text)?.[1];
  return inner ?? text;
}

function attachmentLine(part: ContentBlock): string {
  switch (part.type) {
    case 'image': {
      const { media_type: mediaType, data = '' } = part.source;
      return `${mediaType ?? 'image'}, ${formatBytes(byteCount(data))}`;
    }
    case 'document':
      return part.title ?? l10n.t('Document');
    case 'text':
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
    case 'unknown':
      return l10n.t('A part that cannot be shown here');
  }
}

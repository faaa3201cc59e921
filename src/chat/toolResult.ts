import * as l10n from '@vscode/l10n';
import { cutText } from '../base/cutText';
import type { ContentBlock, ToolResultBlock } from '../protocol/contentBlocks';
import { isJsonObject } from '../protocol/lazySchema';
import { RESULT_TEXT_LIMIT, type ToolResult } from './viewStateProtocol';

/** The whole text of a result, uncut, and what stood beside it. For working out a row's summary. */
export interface ReadResult {
  readonly text: string;
  readonly attachments: readonly string[];
}

/** Reads a `tool_result` block: text parts joined by newlines, other parts as one line each. */
export function readToolResult(block: ToolResultBlock): ReadResult {
  const { content } = block;
  if (content === undefined || content === null) return { text: '', attachments: [] };
  if (typeof content === 'string') return { text: withoutErrorTag(content), attachments: [] };
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const attachments = boundLines(content.flatMap((part) => attachmentLine(part)));
  return { text: withoutErrorTag(texts.join('\n')), attachments };
}

/** A server may return thousands of parts; the panel draws a line for each. */
const MAX_ATTACHMENTS = 50;

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

/** Cuts a result for the view. */
export function boundResult(read: ReadResult, isError: boolean): ToolResult {
  const { text, attachments } = read;
  return {
    text: cutText(text, RESULT_TEXT_LIMIT),
    size: text.length,
    isError,
    ...(attachments.length > 0 ? { attachments } : {}),
  };
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

function attachmentLine(part: ContentBlock): string[] {
  switch (part.type) {
    case 'text':
      return [];
    case 'image': {
      const bytes = Math.floor(((part.source.data ?? '').length * 3) / 4);
      return [`${part.source.media_type ?? 'image'}, ${formatBytes(bytes)}`];
    }
    case 'document':
      return [part.title ?? l10n.t('Document')];
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
    case 'unknown':
      return [l10n.t('A part that cannot be shown here')];
  }
}

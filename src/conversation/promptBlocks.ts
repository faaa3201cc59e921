import * as l10n from '@vscode/l10n';
import { UserFacingError } from '../base/errors';
import { cutText } from '../base/cutText';
import { imageTypeOf } from '../chat/imageProtocol';
import { formatBytes } from '../chat/toolResult';
import { type ExpansionPart, RESULT_TEXT_LIMIT } from '../chat/viewStateProtocol';
import { isRecord, ownField } from '../mcp/wire';
import type { PromptBlock } from '../protocol/outboundRequests';

/** The API's limit for one picture, in bytes. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** A piece of content as MCP has it, made into what can be sent, with what the person reads of it. */
export interface SentPiece {
  readonly block: PromptBlock;
  readonly shown: string;
}

/**
 * Makes a block of a prompt's message sendable.
 * @param what names it in an error: `The prompt plan of notes`
 * @throws UserFacingError for what a model cannot read
 */
export function pieceOfContent(content: unknown, what: string): SentPiece {
  const type = ownField(content, 'type');
  if (type === 'text') return textPiece(textOf(content, 'text'));
  if (type === 'image') {
    return imagePiece(textOf(content, 'data'), textOf(content, 'mimeType'), what);
  }
  if (type === 'resource') return pieceOfContents(ownField(content, 'resource'), '', what);
  if (type === 'resource_link') {
    const name = textOf(content, 'name');
    return textPiece([name, textOf(content, 'uri')].filter((part) => part !== '').join(': '));
  }
  throw cannotSend(what, typeof type === 'string' ? type : l10n.t('an unknown kind'));
}

/** As {@link pieceOfContent} for one entry of what a resource holds; text is marked with its URI. */
export function pieceOfContents(contents: unknown, server: string, what: string): SentPiece {
  const uri = textOf(contents, 'uri');
  const mimeType = textOf(contents, 'mimeType');
  if (!isRecord(contents)) throw cannotSend(what, l10n.t('an unknown kind'));
  if (typeof contents.text === 'string') {
    const from = { ...(server === '' ? {} : { server }), uri };
    return { block: attachedText(from, contents.text), shown: contents.text };
  }
  if (typeof contents.blob !== 'string') throw cannotSend(what, l10n.t('an unknown kind'));
  return imagePiece(contents.blob, mimeType, what);
}

/** Text that goes before the message, marked so that the model knows where it is from. */
export function attachedText(
  from: Readonly<Record<string, string>>,
  text: string,
): { readonly type: 'text'; readonly text: string } {
  const marks = Object.entries(from).map(([key, value]) => ` ${key}="${escapeMark(value)}"`);
  return { type: 'text', text: `<attached${marks.join('')}>\n${text}\n</attached>` };
}

/** What the person reads of it. */
export function shownPart(title: string, text: string): ExpansionPart {
  const cut = cutText(text, RESULT_TEXT_LIMIT);
  return { title, text: cut === text ? text : `${cut}…` };
}

function textPiece(text: string): SentPiece {
  return { block: { type: 'text', text }, shown: text };
}

/** Looked at here, since the CLI drops a picture that it cannot read without a word. */
function imagePiece(data: string, given: string, what: string): SentPiece {
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  const type = imageTypeOf(Buffer.from(data.slice(0, 24), 'base64'));
  if (type === undefined) {
    throw cannotSend(what, given === '' ? l10n.t('bytes of an unknown kind') : given);
  }
  if (bytes > MAX_IMAGE_BYTES) {
    throw new UserFacingError(
      l10n.t(
        '{0} has a picture of {1}; at most {2} can be sent.',
        what,
        formatBytes(bytes),
        formatBytes(MAX_IMAGE_BYTES),
      ),
    );
  }
  return {
    block: { type: 'image', source: { type: 'base64', media_type: type, data } },
    shown: l10n.t('Picture, {0}, {1}', type, formatBytes(bytes)),
  };
}

function cannotSend(what: string, kind: string): UserFacingError {
  return new UserFacingError(l10n.t('{0} holds something that cannot be sent: {1}.', what, kind));
}

function textOf(value: unknown, key: string): string {
  const text = ownField(value, key);
  return typeof text === 'string' ? text : '';
}

function escapeMark(value: string): string {
  return value.replace(/[\s"<>]+/gu, ' ').trim();
}

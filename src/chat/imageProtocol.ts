import * as l10n from '@vscode/l10n';

/** A kind of picture that the model can look at. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** A picture of a message, as host and view name it. The bytes are asked for by its id. */
export interface ImageRef {
  readonly id: string;
  /** As shown: of a file its name. */
  readonly name: string;
  readonly mediaType: ImageType;
  readonly bytes: number;
  /** In pixels; absent where nobody has looked. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** How many pictures one message has at most. */
export const MAX_IMAGES = 20;
/**
 * Bytes of one picture: as base64 they are the API's limit of 5 MB.
 */
export const MAX_IMAGE_BYTES = 3_750_000;
/** Bytes of all pictures of a message: the API takes requests of 32 MB, and there they are base64. */
export const MAX_IMAGES_BYTES = 15_000_000;
/** Pixels of the longer side. Fact: the CLI scales down to this itself, by a slower way. */
export const MAX_IMAGE_SIDE = 2_000;
/** Bytes of a file that is looked at at all. */
export const MAX_IMAGE_FILE = 50_000_000;
/** How many bytes of a file tell its kind. */
export const IMAGE_HEAD = 16;

/**
 * What the first bytes say, whatever the file is called. The CLI replaces a picture that it cannot
 * read by a sentence, without a word to anybody; so what is no picture must not get there.
 */
export function imageTypeOf(head: Uint8Array): ImageType | undefined {
  const text = latin(head);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'image/webp';
  return undefined;
}

/** The name of a kind of file that people take for a picture and no model looks at. */
function foreignImageOf(head: Uint8Array): string | undefined {
  const text = latin(head);
  const brand = /^[^]{4}ftyp(....)/.exec(text)?.[1] ?? '';
  if (/^(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)$/.test(brand)) return 'HEIC';
  if (/^avi[fs]$/.test(brand)) return 'AVIF';
  if (/^(?:II\*\0|MM\0\*)/.test(text)) return 'TIFF';
  if (text.startsWith('BM')) return 'BMP';
  if (text.startsWith('\0\0\x01\0')) return 'ICO';
  if (text.startsWith('%PDF-')) return 'PDF';
  if (/^\s*<(?:svg|\?xml)/i.test(text)) return 'SVG';
  return undefined;
}

/** Why a file is not attached. */
export function unreadableImage(name: string, head: Uint8Array): string {
  if (head.length === 0) return l10n.t('{0} is empty.', name);
  const kind = foreignImageOf(head);
  return kind === undefined
    ? l10n.t('{0} is no picture that can be sent.', name)
    : l10n.t('{0} is a {1} file; pictures are sent as PNG, JPEG, GIF or WebP.', name, kind);
}

/** The ending of a file of this kind, without its dot. */
export function imageEnding(type: ImageType): string {
  return type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
}

function latin(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, IMAGE_HEAD));
}

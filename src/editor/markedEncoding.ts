import { TextDecoder } from 'node:util';

/** Reads UTF-16, by the editor's name of it; undefined for all that has a byte for `\n`. */
export function wideDecoder(encoding: string | undefined): TextDecoder | undefined {
  if (encoding === 'utf16le') return new TextDecoder('utf-16le');
  return encoding === 'utf16be' ? new TextDecoder('utf-16be') : undefined;
}

/** So much of a file's start the editor looks at for zero bytes. */
const LOOKED_AT = 512;

/**
 * What the editor makes of the zero bytes at the start of a file: UTF-16 without a mark, where each
 * second byte is one and no other, else no text. Undefined where there are none, or a mark of UTF-16.
 * Stricter than the editor: control characters are no text.
 */
export function zeroBytes(start: Uint8Array): 'utf16le' | 'utf16be' | 'binary' | undefined {
  if (markedEncoding(start)?.startsWith('utf16') === true) return undefined;
  const bytes = start.subarray(0, LOOKED_AT);
  if (!bytes.includes(0)) return undefined;
  const hasLettersAt = (place: number): boolean =>
    bytes.every((byte, index) => (index % 2 === place ? isLetter(byte) : byte === 0));
  if (hasLettersAt(0)) return 'utf16le';
  return hasLettersAt(1) ? 'utf16be' : 'binary';
}

function isLetter(byte: number): boolean {
  return byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** What the byte-order mark at the start of a file says; it counts before `files.encoding`. */
export function markedEncoding(start: Uint8Array): 'utf8bom' | 'utf16le' | 'utf16be' | undefined {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf8bom';
  if (first === 0xff && second === 0xfe) return 'utf16le';
  return first === 0xfe && second === 0xff ? 'utf16be' : undefined;
}

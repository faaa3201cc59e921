import { TextDecoder } from 'node:util';

/** Reads UTF-16, by the editor's name of it; undefined for all that has a byte for `\n`. */
export function wideDecoder(encoding: string | undefined): TextDecoder | undefined {
  if (encoding === 'utf16le') return new TextDecoder('utf-16le');
  return encoding === 'utf16be' ? new TextDecoder('utf-16be') : undefined;
}

/** What the byte-order mark at the start of a file says; it counts before `files.encoding`. */
export function markedEncoding(start: Uint8Array): 'utf8bom' | 'utf16le' | 'utf16be' | undefined {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf8bom';
  if (first === 0xff && second === 0xfe) return 'utf16le';
  return first === 0xfe && second === 0xff ? 'utf16be' : undefined;
}

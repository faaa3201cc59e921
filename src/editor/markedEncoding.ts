/** What the byte-order mark at the start of a file says; it counts before `files.encoding`. */
export function markedEncoding(start: Uint8Array): 'utf8bom' | 'utf16le' | 'utf16be' | undefined {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf8bom';
  if (first === 0xff && second === 0xfe) return 'utf16le';
  return first === 0xfe && second === 0xff ? 'utf16be' : undefined;
}

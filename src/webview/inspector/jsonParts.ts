/** A piece of indented JSON, and what it is. */
export interface JsonPart {
  readonly kind: 'plain' | 'name' | 'string' | 'number' | 'word';
  readonly text: string;
}

const PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** Cuts JSON into what is drawn in different colours. Joined, the pieces are the text. */
export function jsonParts(text: string): JsonPart[] {
  const parts: JsonPart[] = [];
  const add = (kind: JsonPart['kind'], piece: string): void => {
    if (piece !== '') parts.push({ kind, text: piece });
  };
  let at = 0;
  for (const match of text.matchAll(PARTS)) {
    add('plain', text.slice(at, match.index));
    const [whole, quoted, colon, number] = match;
    if (quoted !== undefined) {
      add(colon === undefined ? 'string' : 'name', quoted);
      add('plain', colon ?? '');
    } else add(number === undefined ? 'word' : 'number', whole);
    at = match.index + whole.length;
  }
  add('plain', text.slice(at));
  return parts;
}

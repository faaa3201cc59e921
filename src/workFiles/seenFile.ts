/** A file as somebody who opens it sees it: with the unsaved text of the editor, where there is one. */
export type SeenFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'folder' }
  | SeenText
  | SeenBinary
  /** It is there and was not read. `stamp` changes with its content, where that can be told. */
  | { readonly kind: 'opaque'; readonly why: OpaqueReason; readonly stamp: string };

export type OpaqueReason =
  | 'large'
  | 'unreadable'
  /** Too much was changed in the conversation to keep it all. */
  | 'full';

export interface SeenText {
  readonly kind: 'text';
  /** With `\n` alone as line ends, without a byte-order mark. */
  readonly text: string;
  /** Most of its line ends are `\r\n`. */
  readonly crlf: boolean;
  /** As they are on the disk; absent where the text is not saved. */
  readonly bytes?: Uint8Array | undefined;
  readonly mode?: number | undefined;
}

export interface SeenBinary {
  readonly kind: 'binary';
  readonly bytes: Uint8Array;
  /** Who may read, write and run it; absent where the system does not tell. */
  readonly mode?: number | undefined;
}

export function isSameFile(a: SeenFile, b: SeenFile): boolean {
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text && a.crlf === b.crlf;
  if (a.kind === 'binary') return b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0;
  if (a.kind === 'opaque') return b.kind === 'opaque' && a.stamp === b.stamp;
  return a.kind === b.kind;
}

/** The mark at a file's beginning that says how it is written. */
type Mark = 'utf8' | 'utf16le' | 'utf16be';

const MARKS: readonly (readonly [Mark, string])[] = [
  ['utf8', 'efbbbf'],
  ['utf16le', 'fffe'],
  ['utf16be', 'feff'],
];

export function markOf({ bytes }: SeenText): Mark | undefined {
  const start = Buffer.from(bytes?.subarray(0, 3) ?? []).toString('hex');
  return MARKS.find(([, mark]) => start.startsWith(mark))?.[0];
}

/** A text as it stands on the disk with this mark. */
export function markedBytes({ text, crlf }: SeenText, mark: Mark): Uint8Array {
  const plain = text.replace(/^\uFEFF/, '');
  const whole = `\uFEFF${crlf ? plain.replaceAll('\n', '\r\n') : plain}`;
  const bytes = Buffer.from(whole, mark === 'utf8' ? 'utf8' : 'utf16le');
  return mark === 'utf16be' ? bytes.swap16() : bytes;
}

/** What makes the file anew; undefined for what is none, or was not read. */
export function bytesOf(file: SeenFile): Uint8Array | undefined {
  if (file.kind === 'binary') return file.bytes;
  if (file.kind !== 'text') return undefined;
  const { text, crlf, bytes } = file;
  return bytes ?? Buffer.from(crlf ? text.replaceAll('\n', '\r\n') : text, 'utf8');
}

/** Who may read, write and run it; undefined for what is no file, or where that is not known. */
export function modeOf(file: SeenFile): number | undefined {
  return file.kind === 'text' || file.kind === 'binary' ? file.mode : undefined;
}

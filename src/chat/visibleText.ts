/**
 * What a reader cannot see although it changes what is read: control characters, bidirectional
 * overrides, zero-width, blank and tag characters, lone surrogates. Tab and newline stay, and so do
 * variation selectors: they are part of ordinary emoji and hide nothing.
 */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * The text with every hidden character written out, such as `\u202E`. For what the person is asked
 * to approve: there the eye must see all that the machine will read.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  let visible = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const hidden = code >= 0x7f || code < 0x20 ? isHidden(code) : false;
    visible += hidden ? escapeCharacter(code) : character;
  }
  return visible;
}

function isHidden(code: number): boolean {
  return HIDDEN.some(([from, to]) => code >= from && code <= to);
}

function escapeCharacter(code: number): string {
  if (code === 0x0d) return '\\r';
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

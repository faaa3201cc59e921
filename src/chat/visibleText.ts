/**
 * What a reader cannot see although it changes what is read: control characters, the bidirectional
 * overrides, zero-width and other blank characters, tags, lone surrogates. Tab and newline stay.
 * Variation selectors stay as well: they are part of ordinary emoji and hide nothing.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|\p{Surrogate}/gu;

/**
 * The text with every hidden character written out, such as `\u202E`. For what the person is asked
 * to approve: there the eye must see all that the machine will read.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

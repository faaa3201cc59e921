/** Bytes that the text takes in UTF-8, without making them. Half of a pair counts as U+FFFD does. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // Of a whole pair, which takes four, the second half is counted with the first.
    if (unit >= 0xd800 && unit <= 0xdbff && isLowHalf(text.charCodeAt(at + 1))) at += 1;
  }
  return bytes;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The length of a text as JSON Schema counts it: a pair of surrogates is one. */
export function codePointLength(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

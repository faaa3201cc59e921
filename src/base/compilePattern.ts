/**
 * The regular expression of a schema's `pattern`; undefined for what is none. Older drafts allow
 * some that are wrong under the u flag.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Tried without the flag.
    }
  }
  return undefined;
}

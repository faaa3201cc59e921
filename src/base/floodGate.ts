/**
 * Lets so many through in a second.
 * @returns a function: undefined where one too many came, else how many were kept back before
 */
export function floodGate(perSecond: number): () => number | undefined {
  let since = 0;
  let passed = 0;
  let kept = 0;
  return () => {
    const now = Date.now();
    if (Math.abs(now - since) >= 1_000) {
      since = now;
      passed = 0;
    }
    if (passed >= perSecond) {
      kept += 1;
      return undefined;
    }
    passed += 1;
    const before = kept;
    kept = 0;
    return before;
  };
}

/**
 * Resolves when no frame has anything to draw, after `latestMs` at the latest: for what takes longer
 * than a frame has.
 */
export function quietTime(latestMs?: number): Promise<void> {
  return new Promise((resolve) => {
    // Safari, in which VS Code for the web runs too, does not have it.
    if (!('requestIdleCallback' in window)) setTimeout(resolve);
    else requestIdleCallback(() => resolve(), latestMs === undefined ? {} : { timeout: latestMs });
  });
}

/** So much of a frame must be free, in milliseconds: in a burst less is. */
const FREE_MS = 8;

/**
 * Resolves when the page has little to draw, or the time has come: for what takes longer than is left
 * of a busy frame.
 *
 * @param latest by `performance.now()`; by default whenever that is
 */
export function quietTime(latest = Infinity): Promise<void> {
  return new Promise((resolve) => {
    // Safari, in which VS Code for the web runs too, does not have it.
    if (!('requestIdleCallback' in window)) {
      setTimeout(resolve);
      return;
    }
    const look = (deadline: IdleDeadline): void => {
      if (deadline.didTimeout || deadline.timeRemaining() >= FREE_MS) resolve();
      else ask();
    };
    const ask = (): void => {
      // Nothing, and what is not finite, would mean no end.
      const timeout = Math.max(1, latest - performance.now());
      requestIdleCallback(look, latest === Infinity ? {} : { timeout });
    };
    ask();
  });
}

import { mock } from 'node:test';

/** Time that only the test moves: of timers, of `Date` and of `performance.now()` alike. */
export async function withHandClock(
  body: (tick: (ms: number) => void) => void | Promise<void>,
): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const now = mock.method(performance, 'now', () => Date.now());
  try {
    await body((ms) => {
      // One by one: within a tick the clock stands at its end already.
      for (let at = 0; at < ms; at += 1) mock.timers.tick(1);
    });
  } finally {
    now.mock.restore();
    mock.timers.reset();
  }
}

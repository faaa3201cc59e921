import { toDisposable } from '../base/disposable';
import type { Clock } from '../conversation/clock';

/** The real time. */
export const pumpClock: Clock = {
  now: () => performance.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};

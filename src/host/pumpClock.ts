import { toDisposable } from '../base/disposable';
import type { PumpClock } from '../conversation/viewPump';

/** The real time. */
export const pumpClock: PumpClock = {
  now: () => performance.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};

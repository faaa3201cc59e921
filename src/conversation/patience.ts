import { createDeferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import type { Clock } from './clock';

/** Rejects after so many milliseconds, unless it is disposed before. */
export function createPatience(
  clock: Clock,
  ms: number,
): { readonly promise: Promise<never> } & Disposable {
  const late = createDeferred<never>();
  const timer = clock.after(ms, () => {
    late.reject(new Error(`no answer within ${ms} ms`));
  });
  return { promise: late.promise, dispose: () => timer.dispose() };
}

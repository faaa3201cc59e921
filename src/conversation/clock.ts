import type { Disposable } from '../base/disposable';

/** Time, so that tests need not wait. */
export interface Clock {
  /** Milliseconds, growing. */
  now(): number;
  /** Runs `fn` once after `ms` milliseconds, unless disposed before. */
  after(ms: number, fn: () => void): Disposable;
}

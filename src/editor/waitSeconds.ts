/** The longest that a tool waits in one call; a call has a minute. */
export const WAIT_MAX_S = 50;

/** Milliseconds to wait, from what the model gave in seconds. */
export function waitMs(seconds: number | undefined, byDefault: number, most = WAIT_MAX_S): number {
  return Math.min(Math.max(0, seconds ?? byDefault), most) * 1_000;
}

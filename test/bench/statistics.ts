/** The middle value, or the mean of the two in the middle. NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value that so large a part of all lies below or at, such as 0.99. NaN for no values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** The largest value; NaN for no values. */
export function worst(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}

/**
 * The median of the quotients, round by round. What slows the machine for a while slows both hosts
 * of that round, so this strays less than the quotient of two medians.
 */
export function pairedRatio(over: readonly number[], under: readonly number[]): number {
  const count = Math.min(over.length, under.length);
  return median(
    Array.from({ length: count }, (_, round) => (over[round] ?? 0) / (under[round] ?? 0)),
  );
}

/** Whether `seen` lies more than 30 % from what was expected: the floor is then not the one meant. */
export function straysFrom(expected: number, seen: number): boolean {
  return !(Math.abs(seen / expected - 1) <= 0.3);
}

/** The hosts in another order each round, so that none always runs after the same one. */
export function rotated<T>(hosts: readonly T[], round: number): T[] {
  const shift = hosts.length === 0 ? 0 : round % hosts.length;
  return [...hosts.slice(shift), ...hosts.slice(0, shift)];
}

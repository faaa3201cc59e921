import { type BenchRow, budgetRow } from '../benchRow';

interface Gaps {
  /** Between two frames, in milliseconds. */
  readonly longest: number;
  /** In the worst round. */
  readonly ours: number;
  /** As many in a page beside it that does the least, or nothing. */
  readonly bare?: number;
}

/** Frames that came late: none may. Void where those of the page beside it do. */
export function gapRow(id: string, workload: string, { longest, ours, bare = 0 }: Gaps): BenchRow {
  const metric = `frames more than 50 ms apart (longest ${Math.round(longest)} ms)`;
  return budgetRow({ id, workload, metric, ours, yardstick: bare, goal: '0 in any round' }, 0);
}

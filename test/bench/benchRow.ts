import { median, pairedRatio, straysFrom, worst } from './statistics';
import type { HostReport } from './workload';

/** One goal and what came of it. A number that does not apply is null. */
export interface BenchRow {
  readonly id: string;
  readonly workload: string;
  readonly metric: string;
  readonly ours: number;
  readonly floor: number | null;
  readonly peer: number | null;
  /** What the machine itself does: for goals in milliseconds the floor's own worst, or an empty process. */
  readonly yardstick: number | null;
  readonly ratioFloor: number | null;
  /** Peer ÷ ours: above one, the official SDK needs more. */
  readonly ratioPeer: number | null;
  readonly goal: string;
  readonly ok: boolean;
  /** Void: floor and SDK are not as far apart as they were when the goal was set. */
  readonly state: 'ok' | 'missed' | 'void';
}

/** All rounds of one workload, in order. */
export interface Samples {
  readonly ours: readonly HostReport[];
  readonly floor: readonly HostReport[];
  readonly peer: readonly HostReport[];
}

export interface RatioGoal {
  readonly id: string;
  readonly workload: string;
  readonly metric: string;
  readonly of: (report: HostReport) => number;
  /** Ours ÷ floor at most. */
  readonly floor?: number;
  /** SDK ÷ ours at least. */
  readonly peer?: number;
  /** SDK ÷ floor when the goal was set. */
  readonly expected?: number;
}

/** Judges by quotients, which hold on a noisy machine. */
export function ratioRow(samples: Samples, goal: RatioGoal): BenchRow {
  const [ours, floor, peer] = [samples.ours, samples.floor, samples.peer].map((reports) =>
    reports.map(goal.of),
  ) as [number[], number[], number[]];
  const ratioFloor = pairedRatio(ours, floor);
  const ratioPeer = pairedRatio(peer, ours);
  const ok =
    (goal.floor === undefined || ratioFloor <= goal.floor) &&
    (goal.peer === undefined || ratioPeer >= goal.peer);
  const isVoid = goal.expected !== undefined && straysFrom(goal.expected, pairedRatio(peer, floor));
  return {
    ...{ id: goal.id, workload: goal.workload, metric: goal.metric },
    ours: median(ours),
    floor: median(floor),
    peer: median(peer),
    yardstick: isVoid ? pairedRatio(peer, floor) : null,
    ratioFloor,
    ratioPeer,
    goal: [
      ...(goal.floor === undefined ? [] : [`≤ ${goal.floor} × floor`]),
      ...(goal.peer === undefined ? [] : [`SDK ≥ ${goal.peer} × ours`]),
    ].join('; '),
    ok: ok && !isVoid,
    state: isVoid ? 'void' : ok ? 'ok' : 'missed',
  };
}

export interface DelayGoal {
  readonly id: string;
  readonly workload: string;
  /** In any round, in ms. */
  readonly worst: number;
  readonly median?: number;
}

/** The longest time the event loop stood still; the floor's own worst is the yardstick. */
export function delayRow(samples: Samples, goal: DelayGoal): BenchRow {
  const [ours, floor, peer] = [samples.ours, samples.floor, samples.peer].map((reports) =>
    reports.map(({ loopMs }) => loopMs),
  ) as [number[], number[], number[]];
  return plainRow({
    ...{ id: goal.id, workload: goal.workload, metric: 'longest loop delay, worst round, ms' },
    ours: worst(ours),
    floor: worst(floor),
    peer: worst(peer),
    yardstick: worst(floor),
    goal: `≤ ${goal.worst} ms in any round${goal.median === undefined ? '' : `, median ≤ ${goal.median} (${median(ours).toFixed(1)})`}`,
    ok: worst(ours) <= goal.worst && (goal.median === undefined || median(ours) <= goal.median),
  });
}

type PlainRow = Pick<BenchRow, 'id' | 'workload' | 'metric' | 'ours' | 'goal' | 'ok'> &
  Partial<BenchRow>;

/**
 * A budget beside the least of it that can be done on the machine: where that alone is over the budget,
 * nothing can be said, and the row is void.
 */
export function budgetRow(
  row: Omit<PlainRow, 'ok'> & { readonly yardstick: number; readonly ok?: boolean },
  most: number,
): BenchRow {
  const ok = row.ok ?? row.ours <= most;
  const isVoid = !ok && row.yardstick > most;
  return plainRow({ ...row, ok, ...(isVoid ? { state: 'void' as const } : {}) });
}

/** A row of which most does not apply. */
export function plainRow(row: PlainRow): BenchRow {
  return {
    ...{ floor: null, peer: null, yardstick: null, ratioFloor: null, ratioPeer: null },
    state: row.ok ? 'ok' : 'missed',
    ...row,
  };
}

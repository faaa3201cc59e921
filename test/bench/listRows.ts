import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { ListReport } from './hosts/listHost';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, pairedRatio, worst } from './statistics';

/** Row 19: a list that was made once is not made again. */
export async function listRows({ work, rounds, real }: OtherOptions): Promise<BenchRow[]> {
  const reports: ListReport[] = [];
  for (let round = 0; round < rounds; round += 1) {
    reports.push(
      await runHost<ListReport>({
        folder: path.join(work, 'bench', 'hosts'),
        host: 'listHost',
        order: { workload: { kind: 'real' }, command: real.command, cwd: real.cwd },
      }),
    );
  }
  const of = (field: keyof ListReport): number[] => reports.map((report) => report[field]);
  const ratio = pairedRatio(of('againUs'), of('firstUs'));
  const ratioPeer = pairedRatio(of('peerUs'), of('againUs'));
  const whole = reports.every(({ tools }) => tools === 500);
  return [
    plainRow({
      ...{ id: '19', workload: '500 tools', metric: '`tools/list`, p50, µs' },
      ...{ ours: median(of('againUs')), peer: median(of('peerUs')) },
      ...{ yardstick: worst(of('firstUs')), ratioFloor: ratio },
      ...{ ratioPeer, goal: '≤ 0.1 × the first; SDK ≥ 1 × ours' },
      ok: whole && ratio <= 0.1 && ratioPeer >= 1,
    }),
  ];
}

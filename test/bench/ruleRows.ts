import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { RulesReport } from './hosts/rulesHost';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, worst } from './statistics';

/** Row 21: a verdict of the permission rules, where there are very many. */
export async function ruleRows({ work, rounds, real }: OtherOptions): Promise<BenchRow[]> {
  const reports: RulesReport[] = [];
  for (let round = 0; round < rounds; round += 1) {
    reports.push(
      await runHost<RulesReport>({
        folder: path.join(work, 'bench', 'hosts'),
        host: 'rulesHost',
        order: { workload: { kind: 'real' }, command: real.command, cwd: real.cwd },
      }),
    );
  }
  const of = (field: 'compileMs' | 'p50Ms' | 'p99Ms'): number[] =>
    reports.map((report) => report[field]);
  const whole = reports.every(
    ({ rules, verdicts }) => rules === 2_000 && verdicts.ask !== undefined,
  );
  return [
    plainRow({
      ...{ id: '21', workload: '2,000 rules', metric: 'one verdict, p99, ms' },
      ...{ ours: median(of('p99Ms')), yardstick: median(of('p50Ms')) },
      ...{ goal: '≤ 1 ms in any round', ok: whole && worst(of('p99Ms')) <= 1 },
    }),
    plainRow({
      ...{ id: '21', workload: '2,000 rules', metric: 'taking them apart once, ms' },
      ...{ ours: median(of('compileMs')) },
      ...{ goal: '≤ 100 ms in any round', ok: worst(of('compileMs')) <= 100 },
    }),
  ];
}

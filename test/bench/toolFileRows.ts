import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { ToolFilesReport } from './hosts/toolFilesHost';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, worst } from './statistics';

/** Row 25: tool files of a workspace. */
export async function toolFileRows({ work, rounds, real }: OtherOptions): Promise<BenchRow[]> {
  const reports: ToolFilesReport[] = [];
  for (let round = 0; round < rounds; round += 1) {
    reports.push(
      await runHost<ToolFilesReport>({
        folder: path.join(work, 'bench', 'hosts'),
        host: 'toolFilesHost',
        order: { workload: { kind: 'real' }, command: real.command, cwd: real.cwd },
      }),
    );
  }
  const of = (field: keyof ToolFilesReport): number[] => reports.map((report) => report[field]);
  const whole = reports.every(({ tools }) => tools === 50);
  const row = (metric: string, field: keyof ToolFilesReport, most: number): BenchRow =>
    plainRow({
      ...{ id: '25', workload: '50 tool files of 100 lines', metric, ours: median(of(field)) },
      ...{ goal: `≤ ${most.toLocaleString('en')}`, ok: whole && worst(of(field)) <= most },
    });
  return [
    row('from trust to the last one, ms', 'loadMs', 1_500),
    row('from a save to the new version, p90, ms', 'saveMs', 300),
    row('from a change on disk to the new version, p90, ms', 'changeMs', 600),
    row('growth of the heap over 1,000 new versions, MB', 'growthMb', 5),
    row('the same over 100 versions in workers, MB', 'workerGrowthMb', 5),
    row('threads that are left of those', 'workerThreads', 4),
  ];
}

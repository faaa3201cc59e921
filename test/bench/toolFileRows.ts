import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { ToolFilesReport } from './hosts/toolFilesHost';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, worst } from './statistics';

type Loaded = Pick<ToolFilesReport, 'loadMs' | 'tools'>;

/** Row 25: tool files of a workspace. */
export async function toolFileRows(options: OtherOptions): Promise<BenchRow[]> {
  const reports: ToolFilesReport[] = [];
  const dense: Loaded[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    reports.push(await runToolFiles<ToolFilesReport>(options, 'ordinary'));
    dense.push(await runToolFiles<Loaded>(options, 'dense'));
  }
  const row = (metric: string, field: keyof ToolFilesReport, most: number): BenchRow =>
    budget(reports, { metric, values: reports.map((report) => report[field]), most });
  return [
    row('from trust to the last one, ms', 'loadMs', 1_500),
    budget(dense, {
      metric: 'the same of dense lines, ms',
      values: dense.map(({ loadMs }) => loadMs),
      most: 1_500,
    }),
    row('from a save to the new version, p90, ms', 'saveMs', 300),
    row('from a change on disk to the new version, p90, ms', 'changeMs', 600),
    row('growth of the heap over 1,000 new versions, MB', 'growthMb', 5),
    row('the same over 100 versions in workers, MB', 'workerGrowthMb', 5),
    row('threads that are left of those', 'workerThreads', 4),
  ];
}

function runToolFiles<Report>(
  { work, real }: OtherOptions,
  density: 'ordinary' | 'dense',
): Promise<Report> {
  return runHost<Report>({
    folder: path.join(work, 'bench', 'hosts'),
    host: 'toolFilesHost',
    order: { workload: { kind: 'real' }, command: real.command, cwd: real.cwd },
    env: { BENCH_DENSITY: density },
  });
}

function budget(
  reports: readonly Loaded[],
  of: { readonly metric: string; readonly values: readonly number[]; readonly most: number },
): BenchRow {
  const whole = reports.every(({ tools }) => tools === 50);
  return plainRow({
    ...{ id: '25', workload: '50 tool files of 100 lines', metric: of.metric },
    ...{ ours: median(of.values), goal: `≤ ${of.most.toLocaleString('en')}` },
    ok: whole && worst(of.values) <= of.most,
  });
}

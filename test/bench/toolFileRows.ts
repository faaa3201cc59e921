import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { LoadReport, ToolFilesReport } from './hosts/toolFilesHost';
import type { Density } from './hosts/toolFileSources';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, worst } from './statistics';

interface Windows {
  readonly first: LoadReport;
  readonly later: LoadReport;
}

/** Row 25: tool files of a workspace. */
export async function toolFileRows(options: OtherOptions): Promise<BenchRow[]> {
  const reports: ToolFilesReport[] = [];
  const ordinary: Windows[] = [];
  const dense: Windows[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    reports.push(await runToolFiles<ToolFilesReport>(options, { BENCH_DENSITY: 'ordinary' }));
    ordinary.push(await runWindows(options, 'ordinary'));
    dense.push(await runWindows(options, 'dense'));
  }
  const row = (metric: string, field: Measure, most: number): BenchRow =>
    budget(reports, { metric, values: reports.map((report) => report[field]), most });
  const load = (metric: string, windows: readonly LoadReport[]): BenchRow =>
    budget(windows, { metric, values: windows.map(({ loadMs }) => loadMs), most: 1_500 });
  return [
    row('from trust to the last one, ms', 'loadMs', 1_500),
    load('the same of dense lines, ms', windowsOf(dense, 'first')),
    load('the same in a later window, ms', windowsOf(ordinary, 'later')),
    load('the same of dense lines in a later window, ms', windowsOf(dense, 'later')),
    row('from a save to the new version, p90, ms', 'saveMs', 300),
    budget(windowsOf(ordinary, 'later'), {
      metric: 'the same of the first save in a later window, ms',
      values: ordinary.map(({ later }) => later.firstSaveMs ?? Infinity),
      most: 300,
    }),
    row('from a change on disk to the new version, p90, ms', 'changeMs', 600),
    row('growth of the heap over 1,000 new versions, MB', 'growthMb', 5),
    row('the same over 100 versions in workers, MB', 'workerGrowthMb', 5),
    row('threads that are left of those', 'workerThreads', 4),
  ];
}

type Measure = Exclude<keyof ToolFilesReport, 'tools' | 'hasCompiled' | 'firstSaveMs'>;

/** Two after each other, each a process of its own, over the same folder and storage. */
async function runWindows(options: OtherOptions, density: Density): Promise<Windows> {
  const home = await mkdtemp(path.join(tmpdir(), 'tool-files-'));
  try {
    const env = { BENCH_DENSITY: density, BENCH_HOME: home };
    const first = await runToolFiles<LoadReport>(options, env);
    const later = await runToolFiles<LoadReport>(options, env);
    return { first, later };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** @throws where a later window compiled: it would be no measure of what it stands for */
function windowsOf(windows: readonly Windows[], which: keyof Windows): readonly LoadReport[] {
  if (windows.some(({ later }) => later.hasCompiled)) throw new Error('A later window compiled');
  return windows.map((one) => one[which]);
}

function runToolFiles<Report>(
  { work, real }: OtherOptions,
  env: Readonly<Record<string, string>>,
): Promise<Report> {
  return runHost<Report>({
    folder: path.join(work, 'bench', 'hosts'),
    host: 'toolFilesHost',
    order: { workload: { kind: 'real' }, command: real.command, cwd: real.cwd },
    env,
  });
}

function budget(
  reports: readonly LoadReport[],
  of: { readonly metric: string; readonly values: readonly number[]; readonly most: number },
): BenchRow {
  const whole = reports.every(({ tools }) => tools === 50);
  return plainRow({
    ...{ id: '25', workload: '50 tool files of 100 lines', metric: of.metric },
    ...{ ours: median(of.values), goal: `≤ ${of.most.toLocaleString('en')}` },
    ok: whole && worst(of.values) <= of.most,
  });
}

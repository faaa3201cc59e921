import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchRow, budgetRow, plainRow } from './benchRow';
import type { CompilerReport } from './hosts/compilerHost';
import type { LoadReport, ToolFilesReport } from './hosts/toolFilesHost';
import type { Density } from './hosts/toolFileSources';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { median, worst } from './statistics';

/** For all fifty, in milliseconds. */
const LOADED_WITHIN = 1_500;

interface Windows {
  /** The compiler alone over the same files. */
  readonly bareMs: number;
  /** Of the first workspace with tool files on the machine. */
  readonly ever: LoadReport;
  /** Of a workspace on a machine on which the compiler ran before. */
  readonly first: LoadReport;
  readonly later: LoadReport;
}

type WhichWindow = 'ever' | 'first' | 'later';

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
  return [
    ...loadRows('', ordinary),
    ...loadRows(' of dense lines', dense),
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

type Measure = Exclude<keyof ToolFilesReport, keyof LoadReport>;

function loadRows(kind: string, windows: readonly Windows[]): readonly BenchRow[] {
  const load = (
    metric: string,
    which: WhichWindow,
    of: (report: LoadReport) => number | undefined,
  ): BenchRow => {
    const reports = windowsOf(windows, which);
    const values = reports.map((report) => of(report) ?? Infinity);
    return budget(reports, { metric, values, most: LOADED_WITHIN });
  };
  const ever = load(`from trust to the last one${kind}, first on the machine, ms`, 'ever', allOf);
  const bare = median(windows.map(({ bareMs }) => bareMs));
  return [
    budgetRow({ ...ever, yardstick: bare, ratioFloor: ever.ours / bare }, LOADED_WITHIN),
    load(`from trust to the last one${kind}, first window of a workspace, ms`, 'first', allOf),
    load(`from approval to the last one${kind}, ms`, 'first', ({ approvedMs }) => approvedMs),
    load(`from trust to the last one${kind}, in a later window, ms`, 'later', allOf),
  ];
}

const allOf = ({ loadMs }: LoadReport): number => loadMs;

/**
 * Each a process of its own: the first over a folder and storage of its own, two over the same, all with
 * the same storage of what V8 made of the compiler.
 */
async function runWindows(options: OtherOptions, density: Density): Promise<Windows> {
  const home = await mkdtemp(path.join(tmpdir(), 'tool-files-'));
  try {
    const shared = { BENCH_DENSITY: density, BENCH_CACHE: path.join(home, 'compiler.cache') };
    const { compileMs } = await runToolFiles<CompilerReport>(options, shared, 'compilerHost');
    const elsewhere = { ...shared, BENCH_HOME: path.join(home, 'elsewhere') };
    const ever = await runToolFiles<LoadReport>(options, elsewhere);
    const env = { ...shared, BENCH_HOME: path.join(home, 'here') };
    const first = await runToolFiles<LoadReport>(options, env);
    const later = await runToolFiles<LoadReport>(options, env);
    return { bareMs: compileMs, ever, first, later };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** @throws where a later window compiled: it would be no measure of what it stands for */
function windowsOf(windows: readonly Windows[], which: WhichWindow): readonly LoadReport[] {
  if (windows.some(({ later }) => later.hasCompiled)) throw new Error('A later window compiled');
  return windows.map((one) => one[which]);
}

function runToolFiles<Report>(
  { work, real }: OtherOptions,
  env: Readonly<Record<string, string>>,
  host = 'toolFilesHost',
): Promise<Report> {
  return runHost<Report>({
    folder: path.join(work, 'bench', 'hosts'),
    host,
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

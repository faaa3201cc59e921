import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { stageExtension } from '../harness/boot/stage.mjs';
import { runHostSuite } from '../harness/hostSuite';
import { offlineEnvironment } from '../harness/offlineEnvironment';
import { inRoot, root } from '../harness/paths';
import { sampleWorkspace } from '../harness/sampleWorkspace';
import { type BenchRow, budgetRow, plainRow } from './benchRow';
import type { CallReport, EditorReport } from './editor/editorReport';
import type { OtherOptions } from './otherRows';
import { median, quantile, worst } from './statistics';

const SHARE_MS = 10;
const CROWD_MS = 50;
const STALL_MS = 50;

/** Rows 22 to 24: the editor's tools inside a real VS Code. */
export async function editorRows(options: OtherOptions): Promise<BenchRow[]> {
  const { sample, crowd, collectionMs, schemasAgain, tools } = await measure(options);
  const names = [...new Set(sample.map(({ tool }) => tool))];
  return [
    ...names.map((name) => {
      const reports = sample.filter(({ tool }) => tool === name);
      return shareRow('22', `\`${name}\``, reports, SHARE_MS);
    }),
    stallRow('22', 'each of these', sample, collectionMs),
    ownStallRow('22', 'each of these', sample),
    ...crowdRows('23', '20,000 references', crowd),
    stallRow('23', '20,000 references', [crowd], collectionMs),
    ownStallRow('23', '20,000 references', [crowd]),
    plainRow({
      ...{ id: '24', workload: `1,000 lists of ${tools} tools`, metric: 'schemas made again' },
      ...{ ours: schemasAgain, goal: '0', ok: schemasAgain === 0 },
    }),
  ];
}

/** The median of the rounds' own. */
function p95Of(rounds: readonly (readonly number[])[]): number {
  return median(rounds.map((calls) => quantile(calls, 0.95)));
}

/** Beside it as the yardstick what the call takes as a whole. */
function shareRow(
  id: string,
  workload: string,
  reports: readonly CallReport[],
  limit: number,
): BenchRow {
  const p95 = worst(reports.map(({ shareMs }) => p95Of(shareMs)));
  const whole = worst(reports.map(({ wholeMs }) => p95Of(wholeMs)));
  return plainRow({
    ...{ id, workload, metric: 'our share, p95, ms', ours: p95, yardstick: whole },
    ...{ goal: `≤ ${limit} ms`, ok: p95 <= limit },
  });
}

/**
 * Half of the calls, and the slow ones: those in which the engine collects what the provider's
 * places have left, which slows down whatever runs then. The least that can be done with the same
 * answer is slowed down in the same way.
 */
function crowdRows(id: string, workload: string, { shareMs, leastMs }: CallReport): BenchRow[] {
  const half = median(shareMs.flat());
  const p95 = p95Of(shareMs);
  const least = p95Of(leastMs);
  return [
    plainRow({
      ...{ id, workload, metric: 'our share, p50, ms', ours: half },
      ...{ yardstick: median(leastMs.flat()), goal: `≤ ${CROWD_MS} ms`, ok: half <= CROWD_MS },
    }),
    budgetRow(
      {
        ...{ id, workload, metric: 'our share, p95, ms', ours: p95, yardstick: least },
        ...{ goal: `≤ ${CROWD_MS} ms` },
      },
      CROWD_MS,
    ),
  ];
}

/**
 * Without what the editor makes of its servers' answers in the same turn of the loop, and without
 * collections of the whole heap. Beside it the same of the least that can be done with these answers, since what they leave to be collected stops
 * whatever runs then; else the median of the rounds.
 */
function ownStallRow(id: string, workload: string, reports: readonly CallReport[]): BenchRow {
  const all = reports.flatMap(({ ownStallMs }) => ownStallMs);
  const least = reports.flatMap(({ leastStallMs }) => leastStallMs);
  const ours = worst(all);
  const metric = 'the same without the editor and whole collections, worst round, ms';
  const row = { id, workload, metric, ours, goal: `≤ ${STALL_MS} ms in any round` };
  return least.length === 0
    ? plainRow({ ...row, yardstick: median(all), ok: ours <= STALL_MS })
    : budgetRow({ ...row, yardstick: worst(least) }, STALL_MS);
}

/**
 * The yardstick is what the editor does for the same questions without us, or a collection of the
 * whole heap, whichever is longer.
 */
function stallRow(
  id: string,
  workload: string,
  reports: readonly CallReport[],
  collectionMs: number,
): BenchRow {
  const ours = worst(reports.flatMap(({ loopMs }) => loopMs));
  const bare = worst([collectionMs, ...reports.flatMap(({ bareLoopMs }) => bareLoopMs)]);
  const metric = 'longest loop delay, worst round, ms';
  const goal = `≤ ${STALL_MS} ms in any round`;
  return budgetRow({ id, workload, metric, ours, yardstick: bare, goal }, STALL_MS);
}

async function measure({ work, rounds }: OtherOptions): Promise<EditorReport> {
  const folder = path.join(work, 'editor');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const extension = path.join(folder, 'extension');
  await stageExtension(root, extension);
  await cp(path.join(work, 'product'), path.join(extension, 'dist'), { recursive: true });
  const offline = await offlineEnvironment(path.join(folder, 'home'));
  const report = path.join(folder, 'report.json');
  const lines: string[] = [];
  try {
    const code = await runHostSuite({
      extensionPath: extension,
      otherExtensions: [inRoot('test/fixtures/debug-extension')],
      testsPath: path.join(work, 'bench', 'editor', 'editorHost.mjs'),
      workspaceFolder: await sampleWorkspace(path.join(folder, 'work space')),
      userSettings: { 'files.autoSave': 'off' },
      trust: true,
      env: { ...offline.env, BENCH_REPORT: report, BENCH_ROUNDS: String(rounds) },
      logFile: path.join(folder, 'server.log'),
      onLine: (line) => {
        lines.push(line);
      },
    });
    if (code !== 0) throw new Error(`the editor's tools:\n${lines.slice(-30).join('\n')}`);
  } finally {
    await offline.close();
  }
  // Written inside the window in this shape.
  return JSON.parse(await readFile(report, 'utf8')) as EditorReport;
}

// The bench itself; started by bench.mjs, which builds it.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startModel } from '../harness/model/modelServer';
import { createRealCliSandbox } from '../harness/model/realCli';
import { say } from '../harness/model/script';
import type { BenchRow, Samples } from './benchRow';
import { cardRows } from './cardRows';
import { editorRows } from './editorRows';
import { type HostGroup, hostGroups } from './hostRows';
import { listRows } from './listRows';
import { panelGroups } from './panel/panelRows';
import { vscodeGroups } from './panel/vscodeRows';
import { ruleRows } from './ruleRows';
import { activationRows, handshakeRows, type OtherOptions, prewarmRows } from './otherRows';
import { printRows } from './printRows';
import { runHost } from './runHost';
import { START_FAKE } from './startFake';
import { quantile, rotated, worst } from './statistics';
import { toolFileRows } from './toolFileRows';
import { wholeText, type HostReport } from './workload';

const HOSTS = { floor: 'floorHost', ours: 'ourHost', peer: 'sdkHost' } as const;
type Host = keyof typeof HOSTS;
const REAL_DELTAS = 20_000;
const CHUNK = 8;

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    json: { type: 'string' },
  },
});
const started = performance.now();
const work = path.resolve(values.work ?? '');
const rounds = Math.max(1, Number(values.rounds));
const wanted = values.rows?.split(',').map((id) => id.trim());
/** Rows that could not be measured; the others are told all the same. */
const faults: unknown[] = [];
const wants = (ids: readonly string[]): boolean =>
  wanted === undefined || ids.some((id) => wanted.includes(id));

await main();

async function main(): Promise<void> {
  const fake = path.join(work, 'bench', 'fake', 'claude');
  const startFake = path.join(work, 'bench', 'fake', 'start');
  await writeFile(startFake, START_FAKE);
  await chmod(startFake, 0o755);
  const home = path.join(work, 'home');
  await mkdir(home, { recursive: true });
  const rows = await withRealCli(REAL_DELTAS, async (real) => {
    const found: BenchRow[] = [];
    for (const group of hostGroups.filter((one) => wants(one.rows))) {
      const isReal = group.name === 'real CLI';
      const command = isReal ? real.command : group.startOnly === true ? startFake : fake;
      const place = { command, cwd: isReal ? real.cwd : home, env: isReal ? real.env : {} };
      found.push(...group.judge(await measure(group, place)));
    }
    return found;
  });
  rows.push(...(await withRealCli(40, otherRows)));
  const asked = rows
    .filter(({ id }) => wanted === undefined || wanted.includes(id))
    .sort((a, b) => Number(a.id) - Number(b.id));
  report(asked);
  if (faults.length > 0) throw new AggregateError(faults, 'some rows could not be measured');
}

async function otherRows(real: OtherOptions['real']): Promise<BenchRow[]> {
  const options: OtherOptions = { work, rounds, real };
  const rows: BenchRow[] = [];
  for (const [ids, judge] of [
    [['10'], activationRows],
    [['12'], handshakeRows],
    [['13'], prewarmRows],
    [['19'], listRows],
    [['20'], cardRows],
    [['21'], ruleRows],
    [['22', '23', '24'], editorRows],
    [['25'], toolFileRows],
    ...panelGroups,
    ...vscodeGroups,
  ] as const) {
    if (!wants(ids)) continue;
    tell(`row ${ids.join(', ')}`);
    try {
      rows.push(...(await judge(options)));
    } catch (error) {
      faults.push(error);
    }
  }
  return rows;
}

/** The real CLI in a sandbox, tied to a model that answers every prompt with so many deltas. */
async function withRealCli<T>(
  deltas: number,
  body: (real: OtherOptions['real']) => Promise<T>,
): Promise<T> {
  const text = wholeText(deltas).slice(0, deltas * CHUNK);
  const model = await startModel({ script: () => say(text), chunkSize: CHUNK });
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  try {
    return await body({ command: sandbox.command, cwd: sandbox.workspace, env: sandbox.env });
  } finally {
    await model.close();
    await sandbox.cleanup();
  }
}

/** Every round runs all hosts, each round in another order. */
async function measure(group: HostGroup, place: OtherOptions['real']): Promise<Samples> {
  const samples: Record<Host, HostReport[]> = { floor: [], ours: [], peer: [] };
  for (let round = 0; round < rounds; round += 1) {
    tell(`${group.name}, round ${round + 1} of ${rounds}`);
    for (const host of rotated(['floor', 'ours', 'peer'] as const, round)) {
      const { command, cwd, env } = place;
      const times = path.join(work, 'answerTimes.json');
      await rm(times, { force: true });
      const report = await runHost<HostReport>({
        folder: path.join(work, 'bench', 'hosts'),
        host: (host === 'ours' ? group.ours : undefined) ?? HOSTS[host],
        order: {
          ...{ workload: group.workload, command, cwd },
          ...(group.startOnly === true ? { startOnly: true } : {}),
        },
        env: { ...env, BENCH_ANSWER_TIMES: times },
      });
      samples[host].push({ ...report, ...(await answerTimes(times)) });
    }
    const texts = new Set(Object.values(samples).map((reports) => reports[round]?.textBytes));
    if (group.workload.kind !== 'turns' && texts.size > 1) {
      throw new Error(
        `${group.name}: the hosts did not get the same text: ${[...texts].join(', ')}`,
      );
    }
  }
  return samples;
}

/** What the fake has measured, where it was called. */
async function answerTimes(file: string): Promise<Pick<HostReport, 'answerMs'>> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  // Written by the fake in this shape.
  const times = JSON.parse(text) as number[];
  if (times.length === 0) return {};
  return { answerMs: { p99: quantile(times, 0.99), worst: worst(times) } };
}

function report(rows: readonly BenchRow[]): void {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const counts = (['ok', 'missed', 'void'] as const).map(
    (state) => `${rows.filter((row) => row.state === state).length} ${state}`,
  );
  console.log(`\n${printRows(rows)}\n`);
  console.log(`${counts.join(', ')}; ${rounds} rounds on ${machine}, ${minutes} min`);
  if (values.json !== undefined)
    void writeFile(values.json, JSON.stringify({ rows }, undefined, 2));
}

function tell(line: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
  console.log(`[${seconds} s] ${line}`);
}

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { activationCost, heavyPackages, type Metafile } from './activationCost';
import { type BenchRow, plainRow } from './benchRow';
import type { HandshakeReport } from './hosts/handshakeHost';
import type { PrewarmReport } from './hosts/prewarmHost';
import { cleanEnvironment, run, runHost } from './runHost';
import { median, pairedRatio, rotated, straysFrom, worst } from './statistics';

export interface OtherOptions {
  /** Holds `product`, `meta.json` and `bench`. */
  readonly work: string;
  readonly rounds: number;
  /** The real CLI tied to the scripted model. */
  readonly real: {
    readonly command: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  };
}

/** A start is short, so each round has some. */
const STARTS = 3;
const ACTIVATION_LIMIT = 64 * 1024;

/** Row 10: the bytes of the activation, what is in them, and what loading them costs. */
export async function activationRows({ work, rounds }: OtherOptions): Promise<BenchRow[]> {
  // Written by the build.
  const meta = JSON.parse(await readFile(path.join(work, 'meta.json'), 'utf8')) as Metafile;
  const cost = activationCost(meta);
  const heavy = heavyPackages(cost);
  const programs = await layLoads(work);
  const names = ['empty', 'ours', 'peer'] as const;
  const times = { empty: [] as number[], ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < rounds * STARTS; round += 1) {
    for (const name of rotated(names, round)) times[name].push(await timeLoad(programs[name]));
  }
  const ratio = pairedRatio(times.ours, times.empty);
  const seen = pairedRatio(times.peer, times.empty);
  const isVoid = straysFrom(4.1, seen);
  const workload = 'activation';
  return [
    plainRow({
      ...{ id: '10', workload, metric: 'bytes loaded by `activate`', ours: cost.bytes },
      ...{ goal: '≤ 65,536 minified', ok: cost.bytes <= ACTIVATION_LIMIT },
    }),
    plainRow({
      ...{ id: '10', workload, metric: 'packages that must not be in it', ours: heavy.length },
      ...{ goal: '0: MCP SDK, agent SDK, zod', ok: heavy.length === 0 },
    }),
    plainRow({
      ...{
        id: '10',
        workload,
        metric: 'fresh process that loads it, ms',
        ours: median(times.ours),
      },
      ...{ floor: median(times.empty), peer: median(times.peer), yardstick: median(times.empty) },
      ...{ ratioFloor: ratio, ratioPeer: pairedRatio(times.peer, times.ours) },
      ...{ goal: '≤ 1.5 × an empty one', ok: ratio <= 1.5 && !isVoid },
      ...(isVoid ? { state: 'void' as const } : {}),
    }),
  ];
}

/**
 * The product's activation can only be loaded by VS Code: in a copy of it the import of `vscode` is
 * bent to a stub that has every name that is asked for.
 */
async function layLoads(work: string): Promise<Record<'empty' | 'ours' | 'peer', string>> {
  const folder = path.join(work, 'load');
  await mkdir(folder, { recursive: true });
  await cp(path.join(work, 'product'), folder, { recursive: true });
  const names = new Set<string>();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const [, list = ''] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']vscode["']/g)) {
      for (const one of list.split(',')) names.add(one.trim().split(/\s+as\s+/)[0] ?? '');
    }
    const up = path.relative(path.dirname(file), 'vscodeStub.js');
    const stub = JSON.stringify(up.startsWith('.') ? up : `./${up}`);
    await writeFile(
      path.join(folder, file),
      text.replace(/(from\s*|import\s*)["']vscode["']/g, `$1${stub}`),
    );
  }
  names.delete('');
  const stubs = [...names].map((name) => `export const ${name}=stub;`).join('');
  await writeFile(
    path.join(folder, 'vscodeStub.js'),
    `const stub=new Proxy(class{},{get:(t,k)=>k==='prototype'?t[k]:stub});${stubs}export default stub;`,
  );
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}\n');
  await writeFile(path.join(folder, 'empty.js'), '');
  return {
    empty: path.join(folder, 'empty.js'),
    ours: path.join(folder, 'extension.js'),
    peer: path.join(work, 'bench', 'hosts', 'sdkLoad.mjs'),
  };
}

async function timeLoad(program: string): Promise<number> {
  const start = performance.now();
  const { errors } = await run([program], cleanEnvironment(path.dirname(program)));
  if (errors !== '') throw new Error(`${program} could not be loaded:\n${errors.slice(-2000)}`);
  return performance.now() - start;
}

/** Row 12: what the real CLI asks our servers before its first turn. */
export async function handshakeRows({ work, real }: OtherOptions): Promise<BenchRow[]> {
  const ask = (servers: number, refused: boolean): Promise<HandshakeReport> =>
    runHost({
      folder: path.join(work, 'bench', 'hosts'),
      host: 'handshakeHost',
      order: { workload: { kind: 'real' }, ...real, servers, refused },
      env: real.env,
    });
  const rows: BenchRow[] = [];
  for (const servers of [1, 10]) {
    const { messages } = await ask(servers, false);
    const workload = `real CLI, ${servers} server${servers === 1 ? '' : 's'}`;
    rows.push(
      plainRow({
        ...{ id: '12', workload, metric: '`mcp_message` before the first turn', ours: messages },
        ...{ goal: '0', ok: messages === 0 },
      }),
    );
  }
  const { right, messages } = await ask(10, true);
  const workload = 'real CLI, 10 servers with manifests that it refuses';
  rows.push(
    plainRow({
      ...{ id: '12', workload, metric: '`mcp_message` answered rightly', ours: right },
      ...{ yardstick: messages, goal: '30: 3 a server', ok: right === 30 && messages === 30 },
    }),
  );
  return rows;
}

/** Row 13: the first event after a prompt, with the CLI started by it or before it. */
export async function prewarmRows({ work, rounds, real }: OtherOptions): Promise<BenchRow[]> {
  const cold: PrewarmReport[] = [];
  const warm: PrewarmReport[] = [];
  const { command, cwd, env } = real;
  for (let round = 0; round < rounds; round += 1) {
    for (const prewarm of rotated([false, true], round)) {
      const report = await runHost<PrewarmReport>({
        folder: path.join(work, 'bench', 'hosts'),
        host: 'prewarmHost',
        order: { workload: { kind: 'real' }, command, cwd, prewarm },
        env,
      });
      (prewarm ? warm : cold).push(report);
    }
  }
  const first = (reports: readonly PrewarmReport[]): number[] =>
    reports.map(({ firstEventMs }) => firstEventMs);
  const left = worst(
    [...cold, ...warm].flatMap(({ unopened = 0, closed = 0 }) => [unopened, closed]),
  );
  const ratio = pairedRatio(first(warm), first(cold));
  return [
    plainRow({
      ...{ id: '13', workload: 'real CLI, prompt → first event', metric: 'prewarmed, ms' },
      ...{ ours: median(first(warm)), yardstick: median(first(cold)), ratioFloor: ratio },
      ...{ goal: '≤ 0.5 × cold', ok: ratio <= 0.5 },
    }),
    plainRow({
      ...{ id: '13', workload: 'real CLI, closed panel', metric: 'processes', ours: left },
      ...{ goal: '0', ok: left === 0 },
    }),
  ];
}

import path from 'node:path';
import { type BenchRow, plainRow } from './benchRow';
import type { CardReport } from './hosts/cardHost';
import type { OtherOptions } from './otherRows';
import { runHost } from './runHost';
import { worst } from './statistics';
import type { Workload } from './workload';

const CARDS = 200;
/** Milliseconds until a card stands; two hundred that come in one moment may take a second. */
const GOAL_MS = 100;
const BURST_GOAL_MS = 1000;

/** Row 20: from a permission request being written by the CLI to its card being posted to the webview. */
export async function cardRows({ work, rounds, real }: OtherOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const atOnce of [false, true]) {
    const goal = atOnce ? BURST_GOAL_MS : GOAL_MS;
    const workload: Workload = { kind: 'cards', count: CARDS, atOnce };
    const command = path.join(work, 'bench', 'fake', 'claude');
    const order = { workload, command, cwd: real.cwd };
    const reports: CardReport[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const folder = path.join(work, 'bench', 'hosts');
      reports.push(await runHost<CardReport>({ folder, host: 'cardHost', order }));
    }
    const of = (field: 'worstMs' | 'plainMs'): number =>
      worst(reports.map((report) => report[field]));
    const isWhole = reports.every(({ cards }) => cards === CARDS);
    rows.push(
      plainRow({
        ...{
          id: '20',
          workload: `${CARDS} permission requests ${atOnce ? 'at once' : 'in sequence'}`,
        },
        ...{ metric: 'written → card posted, worst, ms', ours: of('worstMs') },
        ...{ yardstick: of('plainMs'), goal: `≤ ${goal} ms in any round` },
        ok: isWhole && of('worstMs') <= goal,
      }),
    );
  }
  return rows;
}

import path from 'node:path';
import { startProduct } from '../../harness/product/product';
import { type BenchRow, plainRow } from '../benchRow';
import type { OtherOptions } from '../otherRows';
import { quantile, worst } from '../statistics';
import { paragraphText, wholeText, type Workload } from '../workload';
import { type PageTimes, watchTimes } from './pageMeter';

const DELTAS = 20_000;
const WORKLOAD: Workload = { kind: 'deltas', count: DELTAS, perSecond: 2000 };
const GAP_MS = 50;
const KEY_MS = 50;
const MOST_ROUNDS = 3;

/** Row 14 whole: from the CLI through the host into the webview of the packed product inside VS Code. */
export async function vscodeRows({ work, rounds }: OtherOptions): Promise<BenchRow[]> {
  const product = await startProduct({
    trust: true,
    cli: path.join(work, 'bench', 'fake', 'claude'),
    env: { BENCH_WORKLOAD: JSON.stringify(WORKLOAD) },
  });
  const gaps: number[] = [];
  const idleGaps: number[] = [];
  const longest: number[] = [];
  const keys: number[] = [];
  const missing: number[] = [];
  try {
    const panel = await product.open();
    const inside = await (await panel.main.elementHandle())?.ownerFrame();
    if (!inside) throw new Error('The webview has no frame');
    const play = async (isTyping: boolean): Promise<PageTimes> => {
      const answers = await panel.articles('Claude').count();
      await panel.send('Go on.');
      const stop = await watchTimes(inside);
      await panel.articles('Claude').nth(answers).getByText('quick').first().waitFor();
      if (isTyping) {
        await panel.message.focus();
        await product.page.keyboard.type('typed while it streams in. '.repeat(5), { delay: 45 });
        await panel.message.fill('');
      }
      await panel.waitForStatus(/^\s*Idle/);
      const times = await stop();
      const text = await panel.articles('Claude').nth(answers).locator('.text').textContent();
      const whole = wholeText(DELTAS, paragraphText).replace(/\s/g, '').length;
      missing.push(Math.abs(whole - (text ?? '').replace(/\s/g, '').length));
      return times;
    };
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
      const stop = await watchTimes(inside);
      await inside.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3000)));
      idleGaps.push((await stop()).frames.filter((ms) => ms > GAP_MS).length);
      const { frames } = await play(false);
      gaps.push(frames.filter((ms) => ms > GAP_MS).length);
      longest.push(worst(frames));
      keys.push(...(await play(true)).keys);
    }
  } finally {
    await product.close();
  }
  const workload = '20,000 deltas at 2,000/s, inside VS Code';
  const p99 = quantile(keys, 0.99);
  return [
    plainRow({
      ...{ id: '14', workload },
      ...{ metric: `frames more than 50 ms apart (longest ${Math.round(worst(longest))} ms)` },
      ...{ ours: worst(gaps), yardstick: worst(idleGaps) },
      ...{ goal: '0 in any round', ok: worst(gaps) === 0 },
    }),
    plainRow({
      ...{ id: '14', workload, metric: 'key → paint, p99, ms', ours: p99 },
      ...{ goal: '≤ 50 ms', ok: p99 <= KEY_MS },
    }),
    plainRow({
      ...{
        id: '14',
        workload,
        metric: 'characters that are not there at the end',
        ours: worst(missing),
      },
      ...{ goal: '0', ok: worst(missing) === 0 },
    }),
  ];
}

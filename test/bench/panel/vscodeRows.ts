import path from 'node:path';
import type { Frame } from 'playwright-core';
import { openConversations } from '../../harness/product/openConversations';
import { type Product, startProduct } from '../../harness/product/product';
import { StoredTalk } from '../../harness/product/storedTalk';
import { type BenchRow, plainRow } from '../benchRow';
import type { OtherOptions } from '../otherRows';
import { quantile, worst } from '../statistics';
import { deltaText, paragraphText, wholeText, type Workload } from '../workload';
import { gapRow } from './gapRow';
import { gapsOf, type PagePosts, type PageTimes, watchPosts, watchTimes } from './pageMeter';
import { walkBack } from './panelScrolling';

const DELTAS = 20_000;
const FLOOD = 200_000;
const TURNS = 10_000;
const KEY_MS = 50;
const FRAME_MS = 16;
const MOST_ROUNDS = 3;

type Judge = (options: OtherOptions) => Promise<readonly BenchRow[]>;

/** From the CLI, or from its files, through the host into the webview of the packed product inside VS Code. */
export const vscodeGroups: readonly (readonly [readonly string[], Judge])[] = [
  [['3'], floodRows],
  [['14'], streamRows],
  [['15'], burstRows],
  [['16'], longRows],
];

interface Inside {
  readonly product: Product;
  /** The webview's own. */
  readonly frame: Frame;
}

async function inVscode<T>(
  { work }: OtherOptions,
  workload: Workload,
  judge: (inside: Inside) => Promise<T>,
): Promise<T> {
  const product = await startProduct({
    trust: true,
    cli: path.join(work, 'bench', 'fake', 'claude'),
    env: { BENCH_WORKLOAD: JSON.stringify(workload) },
  });
  try {
    const panel = await product.open();
    const frame = await (await panel.main.elementHandle()).ownerFrame();
    if (!frame) throw new Error('The webview has no frame');
    return await judge({ product, frame });
  } catch (cause) {
    const shown = (await product.panel.allText()) ?? 'nothing';
    throw new Error(`inside VS Code; the panel showed:\n${shown.slice(-1500)}`, { cause });
  } finally {
    await product.close();
  }
}

interface Played extends PageTimes {
  readonly posts: PagePosts;
  /** Characters of the answer, white space aside, that are missing or too many. */
  readonly missing: number;
}

/** A prompt, all of its answer, and a new conversation: the fake's messages have the same names in each turn. */
async function play(
  { product, frame }: Inside,
  answer: string,
  whileItStreams?: () => Promise<void>,
): Promise<Played> {
  const { panel } = product;
  await panel.send('Go on.');
  const stopPosts = await watchPosts(frame);
  const stop = await watchTimes(frame);
  await panel.articles('Claude').getByText('quick').first().waitFor();
  await whileItStreams?.();
  await panel.waitForStatus(/^\s*Idle/);
  await allDrawn(frame);
  const times = await stop();
  const posts = await stopPosts();
  const text = (await panel.articles('Claude').locator('.text').first().textContent()) ?? '';
  const missing = Math.abs(bare(answer).length - bare(text).length);
  await product.frame.getByRole('button', { name: 'New conversation', exact: true }).click();
  await panel.articles('Claude').first().waitFor({ state: 'detached' });
  return { ...times, posts, missing };
}

/** What came in a burst is drawn in many frames: resolves when half a second of them brought no more. */
async function allDrawn(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    const blocks = document.getElementsByClassName('md-block');
    let before = -1;
    for (let same = 0; same < 30; same = blocks.length === before ? same + 1 : 0) {
      before = blocks.length;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

const bare = (text: string): string => text.replace(/\s/g, '');

/** Gaps of a page in which nothing happens. */
async function idleGaps(frame: Frame): Promise<number> {
  const stop = await watchTimes(frame);
  await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3000)));
  return gapsOf(await stop());
}

interface Pace {
  readonly id: string;
  readonly perSecond: number;
  readonly pace: string;
}

const STEADY: Pace = { id: '14', perSecond: 2000, pace: 'at 2,000/s' };
const BURST: Pace = { id: '15', perSecond: 40_000, pace: 'in 0.5 s' };

const workloadOf = (pace: string): string => `20,000 deltas ${pace}, inside VS Code`;

/** Rounds of a steady or sudden stream, each as long as the answer takes. */
async function rounds(
  options: OtherOptions,
  { id, perSecond, pace }: Pace,
  more?: (inside: Inside, answer: string) => Promise<void>,
): Promise<readonly BenchRow[]> {
  const answer = wholeText(DELTAS, paragraphText);
  const played: Played[] = [];
  const idle: number[] = [];
  await inVscode(options, { kind: 'deltas', count: DELTAS, perSecond }, async (inside) => {
    for (let round = 0; round < Math.min(options.rounds, MOST_ROUNDS); round += 1) {
      idle.push(await idleGaps(inside.frame));
      played.push(await play(inside, answer));
      await more?.(inside, answer);
    }
  });
  const workload = workloadOf(pace);
  const longest = worst(played.flatMap(({ frames }) => frames));
  const gaps = worst(played.map(gapsOf));
  const missing = worst(played.map((one) => one.missing));
  return [
    gapRow(id, workload, { longest, ours: gaps, bare: worst(idle) }),
    plainRow({
      ...{ id, workload, metric: 'characters that are not there at the end', ours: missing },
      ...{ goal: '0', ok: missing === 0 },
    }),
  ];
}

/** Row 14, with keys in a round of its own. */
async function streamRows(options: OtherOptions): Promise<readonly BenchRow[]> {
  const keys: number[] = [];
  const rows = await rounds(options, STEADY, async (inside, answer) => {
    const { product } = inside;
    const { message } = product.panel;
    const typed = await play(inside, answer, async () => {
      await message.focus();
      await product.page.keyboard.type('typed while it streams in. '.repeat(5), { delay: 45 });
      await message.fill('');
    });
    keys.push(...typed.keys);
  });
  const p99 = quantile(keys, 0.99);
  return [
    ...rows,
    plainRow({
      ...{ id: '14', workload: workloadOf(STEADY.pace) },
      ...{ metric: 'key → paint, p99, ms', ours: p99, goal: '≤ 50 ms', ok: p99 <= KEY_MS },
    }),
  ];
}

/** Row 15. */
function burstRows(options: OtherOptions): Promise<readonly BenchRow[]> {
  return rounds(options, BURST);
}

/** Row 3, as the webview gets it. */
async function floodRows(options: OtherOptions): Promise<readonly BenchRow[]> {
  const answer = wholeText(FLOOD);
  const { posts, missing } = await inVscode(options, { kind: 'deltas', count: FLOOD }, (inside) =>
    play(inside, answer),
  );
  const workload = '200,000 deltas, inside VS Code';
  const most = posts.wallMs / FRAME_MS + 2;
  const share = posts.chars / answer.length;
  return [
    plainRow({
      ...{ id: '3', workload, metric: 'posts to the webview', ours: posts.count },
      ...{ yardstick: most, goal: '≤ wall ÷ 16 ms + 2', ok: posts.count <= most },
    }),
    plainRow({
      ...{ id: '3', workload, metric: 'posted characters ÷ text', ours: share },
      ...{ goal: '≤ 1.1', ok: share <= 1.1 },
    }),
    plainRow({
      ...{ id: '3', workload, metric: 'characters that are not there at the end', ours: missing },
      ...{ goal: '0', ok: missing === 0 },
    }),
  ];
}

const TITLE = 'A very long talk';

/** Row 16: from the CLI's own file. */
async function longRows(options: OtherOptions): Promise<readonly BenchRow[]> {
  const seen = await inVscode(options, { kind: 'turns', count: 1 }, async ({ product, frame }) => {
    const talk = new StoredTalk(product.workspace);
    for (let turn = 0; turn < TURNS; turn += 1) {
      talk.said(`Question ${turn}?`);
      talk.answered(`Answer ${turn}: ${deltaText(turn).repeat(1 + ((turn * 7) % 23))}`);
    }
    talk.titled(TITLE);
    await talk.write(product.configFolder);
    const dialog = await openConversations(product);
    await dialog.getByRole('option').filter({ hasText: TITLE }).click();
    await product.panel
      .articles('Claude')
      .getByText(`Answer ${TURNS - 1}:`)
      .waitFor();
    const elements = await frame.evaluate(() => document.querySelectorAll('*').length);
    return { elements, ...(await frame.evaluate(walkBack)) };
  });
  const workload = '10,000 turns, inside VS Code';
  const missing = 2 * TURNS - seen.seen.length;
  return [
    plainRow({
      ...{ id: '16', workload, metric: 'elements', ours: seen.elements },
      ...{ goal: '≤ 1,500', ok: seen.elements <= 1500 },
    }),
    plainRow({
      ...{ id: '16', workload, metric: 'messages not seen, scrolled from end to start' },
      ...{ ours: missing, goal: '0', ok: missing === 0 },
    }),
    plainRow({
      ...{ id: '16', workload, metric: 'longest time that a place was empty, ms' },
      ...{ ours: seen.longestBlankMs, goal: '≤ 100 ms', ok: seen.longestBlankMs <= 100 },
    }),
  ];
}

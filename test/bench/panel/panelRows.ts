import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { longTalk } from '../../harness/panelSandbox/longTalk';
import { buildPanel } from '../../harness/panelSandbox/buildPanel';
import { PanelSandbox } from '../../harness/panelSandbox/sandbox';
import { emptyState } from '../../harness/panelSandbox/states';
import { DRAFT_DELAY_MS } from '../../../src/webview/draftTimer';
import { type BenchRow, plainRow } from '../benchRow';
import type { OtherOptions } from '../otherRows';
import { median, pairedRatio, quantile, worst } from '../statistics';
import { gapRow } from './gapRow';
import { gapsOf, PageMeter, settle, watchTimes } from './pageMeter';
import { scrollToStart } from './panelScrolling';
import { LIVE_ITEM, liveTalk, messagesOf, POST_EVERY_MS } from './panelText';
import { openPlainPage } from './plainPage';

const KEY_MS = 50;
const DELTAS = 20_000;
const PER_POST = 32;
const TURNS = 10_000;
const ALL_DRAWN_TURNS = 2000;
const BUNDLE_LIMIT = 250 * 1024;
const MEMORY_LIMIT = 60 * 2 ** 20;
const DRAFT_MS = 300;

interface Panels {
  readonly sandbox: PanelSandbox;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly rounds: number;
}

type Judge<Options> = (options: Options) => Promise<readonly BenchRow[]>;

/** Rows of the panel alone, as it ships, in Chromium: VS Code around it adds what is not ours. */
export const panelGroups: readonly (readonly [readonly string[], Judge<OtherOptions>])[] = [
  [['14'], onPanels(streamRows)],
  [['15'], onPanels(burstRows)],
  [['16'], onPanels(longRows)],
  [['26'], onPanels(deltaCostRows)],
  [['27'], onPanels(({ files }) => Promise.resolve([bundleRow(files)]))],
  [['28'], onPanels(memoryRows)],
  [['29'], onPanels(draftRows)],
];

function onPanels(judge: Judge<Panels>): Judge<OtherOptions> {
  return async ({ work, rounds }) => {
    const files = await productFiles(path.join(work, 'product'));
    const sandbox = await PanelSandbox.start(files);
    try {
      return await judge({ sandbox, files, rounds: Math.min(rounds, 7) });
    } finally {
      await sandbox.close();
    }
  };
}

/** What the webview loads, by the name that its page asks for. */
async function productFiles(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|ttf)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => [`/${name}`, await readFile(path.join(folder, name))] as const),
  );
  return new Map(files);
}

async function opened(sandbox: PanelSandbox, turns: number) {
  const panel = await sandbox.open(liveTalk(turns));
  await panel.page.locator(`[data-row="${LIVE_ITEM}"]`).waitFor({ state: 'attached' });
  await settle(panel.page);
  return { panel, meter: await PageMeter.of(panel.page) };
}

/** Row 14. */
async function streamRows({ sandbox, rounds }: Panels): Promise<BenchRow[]> {
  const messages = messagesOf(0, DELTAS, PER_POST);
  const ours: number[] = [];
  const plain: number[] = [];
  const gaps: number[] = [];
  const plainGaps: number[] = [];
  const keys: number[] = [];
  const plainKeys: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { panel, meter } = await opened(sandbox, 0);
    const stop = await watchTimes(panel.page);
    ours.push(await meter.workOf(() => panel.stream(messages, POST_EVERY_MS)));
    const times = await stop();
    gaps.push(gapsOf(times));
    longest.push(worst(times.frames));
    await panel.close();
    const other = await openPlainPage(sandbox);
    const stopPlain = await watchTimes(other.page);
    plain.push(await other.meter.workOf(() => other.stream(messages, POST_EVERY_MS)));
    plainGaps.push(gapsOf(await stopPlain()));
    await other.close();
    const typed = await keysWhileStreaming(sandbox);
    keys.push(...typed.ours);
    plainKeys.push(...typed.plain);
  }
  const ratio = pairedRatio(ours, plain);
  const workload = '20,000 deltas at 2,000/s';
  const p99 = quantile(keys, 0.99);
  return [
    plainRow({
      ...{ id: '14', workload, metric: 'main thread of the webview, ms', ours: median(ours) },
      ...{ floor: median(plain), yardstick: median(plain), ratioFloor: ratio },
      ...{ goal: '≤ 2 × plain text', ok: ratio <= 2 },
    }),
    gapRow('14', workload, { longest: worst(longest), ours: worst(gaps), bare: worst(plainGaps) }),
    plainRow({
      ...{ id: '14', workload, metric: 'key → paint, p99, ms', ours: p99 },
      ...{ yardstick: quantile(plainKeys, 0.99) },
      ...{ goal: '≤ 50 ms', ok: p99 <= KEY_MS },
    }),
  ];
}

/** Typed into the message box while an answer streams, and beside it into a box of the plain page. */
async function keysWhileStreaming(
  sandbox: PanelSandbox,
): Promise<Record<'ours' | 'plain', readonly number[]>> {
  const messages = messagesOf(0, DELTAS / 2, PER_POST);
  const typed = async (page: Page, box: Locator, stream: () => Promise<void>) => {
    await box.focus();
    const stop = await watchTimes(page);
    const streaming = stream();
    await page.keyboard.type('what is typed while an answer streams in. '.repeat(2), { delay: 45 });
    await streaming;
    return (await stop()).keys;
  };
  const { panel } = await opened(sandbox, 0);
  const message = panel.page.getByRole('textbox', { name: 'Message', exact: true });
  const ours = await typed(panel.page, message, () => panel.stream(messages, POST_EVERY_MS));
  await panel.close();
  const other = await openPlainPage(sandbox);
  const stream = () => other.stream(messages, POST_EVERY_MS);
  const plain = await typed(other.page, other.page.locator('textarea'), stream);
  await other.close();
  return { ours, plain };
}

/** Row 15. */
async function burstRows({ sandbox, rounds }: Panels): Promise<BenchRow[]> {
  const gaps: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { panel } = await opened(sandbox, 0);
    const stop = await watchTimes(panel.page);
    await panel.stream(
      messagesOf(0, DELTAS, Math.ceil(DELTAS / (500 / POST_EVERY_MS))),
      POST_EVERY_MS,
    );
    const times = await stop();
    gaps.push(gapsOf(times));
    longest.push(worst(times.frames));
    await panel.close();
  }
  return [gapRow('15', '20,000 deltas in 0.5 s', { longest: worst(longest), ours: worst(gaps) })];
}

/** Milliseconds from the message with the conversation to its rows on the screen. */
async function openMs(
  sandbox: PanelSandbox,
  turns: number,
): Promise<{ ms: number; elements: number }> {
  const panel = await sandbox.open(emptyState());
  try {
    await panel.page.getByRole('log').waitFor();
    await panel.page.evaluate(() => {
      const took = new Promise<number>((resolve) => {
        window.addEventListener(
          'message',
          function taken({ timeStamp }) {
            window.removeEventListener('message', taken);
            const look = (): void => {
              if (!document.querySelector('[data-row]')) requestAnimationFrame(look);
              else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
            };
            requestAnimationFrame(look);
          },
          true,
        );
      });
      Object.assign(window, { took });
    });
    await panel.snapshot(longTalk(turns));
    const ms = await panel.page.evaluate(() => Reflect.get(window, 'took') as Promise<number>);
    const elements = await panel.page.evaluate(() => document.querySelectorAll('*').length);
    return { ms, elements };
  } finally {
    await panel.close();
  }
}

/** Row 16. */
async function longRows({ sandbox, rounds }: Panels): Promise<BenchRow[]> {
  const workload = '10,000 turns';
  const opens: number[] = [];
  const elements: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ms, elements: count } = await openMs(sandbox, TURNS);
    opens.push(ms);
    elements.push(count);
  }
  const all = await openAllMs();
  const ratio = (all * (TURNS / ALL_DRAWN_TURNS)) / median(opens);
  const { longs, shorts } = await streamedIn(sandbox, rounds);
  const dearer = pairedRatio(longs, shorts);
  const scrolled = await scrollToStart(sandbox, TURNS);
  return [
    plainRow({
      ...{ id: '16', workload, metric: 'elements', ours: worst(elements) },
      ...{ goal: '≤ 1,500', ok: worst(elements) <= 1500 },
    }),
    plainRow({
      ...{
        id: '16',
        workload,
        metric: `opened, ms; beside 5 × all of 2,000 drawn`,
        ours: median(opens),
      },
      ...{ yardstick: all * (TURNS / ALL_DRAWN_TURNS), ratioFloor: 1 / ratio },
      ...{ goal: '≥ 10 × faster', ok: ratio >= 10 },
    }),
    plainRow({
      ...{ id: '16', workload, metric: '4,000 deltas, main thread, ms; beside an empty one' },
      ...{ ours: median(longs), yardstick: median(shorts), ratioFloor: dearer },
      ...{ goal: '≤ 1.2 × the empty one', ok: dearer <= 1.2 },
    }),
    plainRow({
      ...{ id: '16', workload, metric: 'messages not seen, scrolled from end to start' },
      ...{ ours: scrolled.missing, goal: '0', ok: scrolled.missing === 0 },
    }),
    plainRow({
      ...{ id: '16', workload, metric: 'longest time that a place was empty, ms' },
      ...{ ours: scrolled.longestBlankMs, goal: '≤ 100 ms', ok: scrolled.longestBlankMs <= 100 },
    }),
  ];
}

/** The panel with every row drawn, as it would be without its window. */
async function openAllMs(): Promise<number> {
  const all = await PanelSandbox.start(
    await buildPanel('webview', {
      ...{ file: 'rowWindow.ts', from: 'const LEAST_ROWS = 40;', to: 'const LEAST_ROWS = 1e9;' },
    }),
  );
  try {
    return (await openMs(all, ALL_DRAWN_TURNS)).ms;
  } finally {
    await all.close();
  }
}

async function streamedIn(sandbox: PanelSandbox, rounds: number) {
  const longs: number[] = [];
  const shorts: number[] = [];
  const messages = messagesOf(0, 4000, PER_POST);
  for (let round = 0; round < rounds; round += 1) {
    for (const [turns, costs] of [
      [TURNS, longs],
      [0, shorts],
    ] as const) {
      const { panel, meter } = await opened(sandbox, turns);
      costs.push(await meter.workOf(() => panel.stream(messages, POST_EVERY_MS)));
      await panel.close();
    }
  }
  return { longs, shorts };
}

/** Row 26. */
async function deltaCostRows({ sandbox, rounds }: Panels): Promise<BenchRow[]> {
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    const { panel, meter } = await opened(sandbox, 0);
    const costs: number[] = [];
    for (let thousand = 0; thousand < 100; thousand += 1) {
      const messages = messagesOf(thousand * 1000, 1000, 50);
      costs.push(await meter.workOf(() => panel.stream(messages, POST_EVERY_MS)));
    }
    firsts.push(median(costs.slice(0, 5)));
    lasts.push(median(costs.slice(-5)));
    await panel.close();
  }
  const ratio = pairedRatio(lasts, firsts);
  return [
    plainRow({
      ...{ id: '26', workload: '100,000 deltas of one message' },
      ...{ metric: 'main thread for 1,000, the last five ÷ the first five, ms' },
      ...{ ours: median(lasts), yardstick: median(firsts), ratioFloor: ratio },
      ...{ goal: '≤ 1.5 × the first', ok: ratio <= 1.5 },
    }),
  ];
}

/** Row 27. */
function bundleRow(files: ReadonlyMap<string, Uint8Array>): BenchRow {
  const bytes = ['/webview.js', '/webview.css']
    .map((name) => gzipSync(files.get(name) ?? new Uint8Array()).length)
    .reduce((sum, one) => sum + one, 0);
  return plainRow({
    ...{
      id: '27',
      workload: 'webview',
      metric: 'script and sheet, compressed, bytes',
      ours: bytes,
    },
    ...{ goal: '≤ 256,000', ok: bytes <= BUNDLE_LIMIT && bytes > 10_000 },
  });
}

/** Row 28. */
async function memoryRows({ sandbox }: Panels): Promise<BenchRow[]> {
  const panel = await sandbox.open(emptyState());
  await panel.page.getByRole('log').waitFor();
  const meter = await PageMeter.of(panel.page);
  // What has been compiled and kept at the first conversation stays for the next.
  await panel.snapshot(longTalk(100));
  await panel.page.locator('[data-row="a99"]').waitFor();
  await panel.snapshot(emptyState());
  await panel.page.locator('[data-row]').first().waitFor({ state: 'detached' });
  const empty = await meter.heapBytes();
  await panel.snapshot(longTalk(TURNS));
  await panel.page.locator('[data-row="a9999"]').waitFor();
  const full = await meter.heapBytes();
  await panel.snapshot(emptyState());
  await panel.page.locator('[data-row]').first().waitFor({ state: 'detached' });
  const after = await meter.heapBytes();
  await panel.close();
  const workload = 'memory of 10,000 turns';
  return [
    plainRow({
      ...{
        id: '28',
        workload,
        metric: 'heap over an empty panel, MiB',
        ours: (full - empty) / 2 ** 20,
      },
      ...{ yardstick: empty / 2 ** 20, goal: '≤ 60', ok: full - empty <= MEMORY_LIMIT },
    }),
    plainRow({
      ...{
        id: '28',
        workload,
        metric: 'the same once it is closed, MiB',
        ours: (after - empty) / 2 ** 20,
      },
      ...{ goal: '≤ 2', ok: after - empty <= 2 * 2 ** 20 },
    }),
  ];
}

/** Row 29: with the way through the browser's own wire, which VS Code's webview does not have. */
async function draftRows({ sandbox }: Panels): Promise<BenchRow[]> {
  const panel = await sandbox.open(emptyState());
  const box = panel.page.getByRole('textbox', { name: 'Message', exact: true });
  await box.focus();
  const times: number[] = [];
  /** The yardstick: a timer of the page that takes as long as ours. */
  const timers: number[] = [];
  for (let at = 1; at <= 20; at += 1) {
    const start = performance.now();
    await panel.page.keyboard.press('x');
    while (panel.sent('draft').at(-1)?.text !== 'x'.repeat(at)) {
      if (performance.now() - start > 30_000) throw new Error('The draft did not come');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    times.push(performance.now() - start);
    const plainStart = performance.now();
    await panel.page.evaluate(
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      DRAFT_DELAY_MS,
    );
    timers.push(performance.now() - plainStart);
  }
  await panel.close();
  return [
    plainRow({
      ...{ id: '29', workload: 'typing', metric: 'key → draft at the host, worst of 20, ms' },
      ...{
        ours: worst(times),
        yardstick: worst(timers),
        goal: '≤ 300 ms',
        ok: worst(times) <= DRAFT_MS,
      },
    }),
  ];
}

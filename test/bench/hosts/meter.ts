import { createHash } from 'node:crypto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { median } from '../statistics';
import type { HostOrder, HostReport } from '../workload';
import { replyTimes } from './pipeProbe';

/** How often the loop is looked at, in milliseconds; the histogram counts this time in. */
const RESOLUTION_MS = 5;

/** Stands where the webview is: takes messages as VS Code does, which writes them as JSON. */
export class Sink {
  readonly #keep: boolean;
  readonly #kept: string[] = [];
  posts = 0;
  postedLength = 0;

  constructor(keep: boolean) {
    this.#keep = keep;
  }

  post(message: unknown): void {
    const text = JSON.stringify(message);
    this.posts += 1;
    this.postedLength += text.length;
    if (this.#keep) this.#kept.push(text);
  }

  get kept(): readonly string[] {
    return this.#kept;
  }
}

/** What a host is told by its last argument. */
export function readOrder(): HostOrder {
  // Written by the runner in this shape.
  return JSON.parse(process.argv.at(-1) ?? '') as HostOrder;
}

/** From the start of this process, in milliseconds. */
export function sinceStart(): number {
  return performance.now();
}

export interface Meter {
  /** `posted` gives all of the text in what was posted; called after all is measured. */
  stop(sink: Sink, posted: () => string): HostReport;
}

/** Begins to measure. `startMs` is handed through to the report. */
export function startMeter(startMs: number): Meter {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const rss = process.memoryUsage.rss();
  loop.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  return {
    stop: (sink, posted) => {
      const wallMs = performance.now() - start;
      const used = process.cpuUsage(cpu);
      const peak = process.resourceUsage().maxRSS * 1024;
      loop.disable();
      const times = replyTimes();
      const text = posted();
      return {
        startMs,
        wallMs,
        cpuMs: (used.user + used.system) / 1000,
        loopMs: Math.max(0, loop.max / 1e6 - RESOLUTION_MS),
        rssMiB: (peak - rss) / 2 ** 20,
        replyUs: times.length === 0 ? undefined : median(times) / 1000,
        posts: sink.posts,
        postedBytes: sink.kept.reduce((sum, one) => sum + Buffer.byteLength(one), 0),
        textBytes: Buffer.byteLength(text),
        textHash: createHash('sha256').update(text).digest('hex'),
      };
    },
  };
}

/** Hands the report to the runner. */
export function report(result: HostReport | { readonly startMs: number }): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

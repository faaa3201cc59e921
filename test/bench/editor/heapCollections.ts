import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In milliseconds of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const FORCED = 5;
const WHOLE: readonly unknown[] = [
  constants.NODE_PERFORMANCE_GC_MAJOR,
  constants.NODE_PERFORMANCE_GC_INCREMENTAL,
];

/**
 * When the engine has collected the whole heap, or a step of it. That of an extension host is one for
 * the editor and all extensions: when it comes, and how long it takes, is not one call's. What it
 * collects of the young only is not in it.
 */
export class HeapCollections {
  readonly #spans: Span[] = [];

  constructor() {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { startTime: from, duration } = entry;
        if (WHOLE.includes(kindOf(entry))) this.#spans.push({ from, to: from + duration });
      }
    }).observe({ entryTypes: ['gc'] });
  }

  /** Told some milliseconds later. */
  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** The longest of some, now, in milliseconds. */
  static longestNow(): number {
    v8.setFlagsFromString('--expose-gc');
    // The flag gives it to contexts that are made from now on.
    const collect = runInNewContext('gc') as () => void;
    const times = Array.from({ length: FORCED }, () => {
      const from = performance.now();
      collect();
      return performance.now() - from;
    });
    return Math.max(...times);
  }
}

function kindOf(entry: object): unknown {
  const detail: unknown = Reflect.get(entry, 'detail');
  return typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'kind') : undefined;
}

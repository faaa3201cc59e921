import type { CDPSession, Frame, Page } from 'playwright-core';

/** What the page has seen between two calls, in milliseconds. */
export interface PageTimes {
  /** Between one frame and the next, all of them. */
  readonly frames: readonly number[];
  /** From a key's event to behind the frame that draws what came of it. */
  readonly keys: readonly number[];
}

/** What starts with a page is not what is measured in it; inside VS Code it has stood for longer. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(1000);
}

/** Watches frames and keys of a page, or of one frame in it, from now on. */
export async function watchTimes(page: Page | Frame): Promise<() => Promise<PageTimes>> {
  await page.evaluate(() => {
    const frames: number[] = [];
    const keys: number[] = [];
    let last: number | undefined;
    let isOver = false;
    const frame = (now: number): void => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      if (!isOver) requestAnimationFrame(frame);
    };
    const key = (event: Event): void => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => keys.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(0);
      });
    };
    requestAnimationFrame(frame);
    document.addEventListener('keydown', key, true);
    const stop = (): { frames: number[]; keys: number[] } => {
      isOver = true;
      document.removeEventListener('keydown', key, true);
      return { frames, keys };
    };
    Object.assign(window, { stopWatching: stop });
  });
  return () =>
    page.evaluate(() => {
      // Put there by the call above.
      const { stopWatching } = window as unknown as { stopWatching: () => PageTimes };
      return stopWatching();
    });
}

/** In milliseconds. */
const GAP_MS = 50;

/**
 * How often frames were more than 50 ms apart. To the millisecond: three frames of 60 a second are
 * just 50 ms, by the browser's clock now a little less and now a little more.
 */
export function gapsOf({ frames }: PageTimes): number {
  return frames.filter((ms) => Math.round(ms) > GAP_MS).length;
}

/** Messages of the host that a page got between two calls. */
export interface PagePosts {
  readonly count: number;
  /** Of all of them as JSON. */
  readonly chars: number;
  /** From the first to the last. */
  readonly wallMs: number;
}

export async function watchPosts(page: Frame): Promise<() => Promise<PagePosts>> {
  await page.evaluate(() => {
    const got: { readonly chars: number; readonly at: number }[] = [];
    // Counted at once: the panel takes the objects over, and they grow.
    const take = ({ data, timeStamp }: MessageEvent<unknown>): void => {
      got.push({ chars: JSON.stringify(data).length, at: timeStamp });
    };
    window.addEventListener('message', take, true);
    const stop = (): { count: number; chars: number; wallMs: number } => {
      window.removeEventListener('message', take, true);
      const chars = got.reduce((sum, one) => sum + one.chars, 0);
      const wallMs = (got.at(-1)?.at ?? 0) - (got[0]?.at ?? 0);
      return { count: got.length, chars, wallMs };
    };
    Object.assign(window, { stopPosts: stop });
  });
  return () =>
    page.evaluate(() => {
      // Put there by the call above.
      const { stopPosts } = window as unknown as { stopPosts: () => PagePosts };
      return stopPosts();
    });
}

/** Costs of a page's main thread and heap, by the browser's own books. */
export class PageMeter {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    return new PageMeter(session);
  }

  /** Milliseconds that the main thread worked while `work` ran. */
  async workOf(work: () => Promise<unknown>): Promise<number> {
    const before = await this.#taskMs();
    await work();
    return (await this.#taskMs()) - before;
  }

  /** Bytes of JavaScript's heap that are in use once all garbage is collected. */
  async heapBytes(): Promise<number> {
    for (let round = 0; round < 3; round += 1) {
      await this.#session.send('HeapProfiler.collectGarbage');
    }
    return (await this.#session.send('Runtime.getHeapUsage')).usedSize;
  }

  async #taskMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  }
}

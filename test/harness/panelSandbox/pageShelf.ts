import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../browser';
import { leavePage } from './servePage';

/** An upper bound for a busy machine; every wait ends with its condition. */
const PATIENCE_MS = 60_000;

export interface PageWish {
  readonly width: number;
  readonly height: number;
  /** What only a context of its own can have. */
  readonly context?: BrowserContextOptions | undefined;
}

/**
 * A browser and its pages. One that was given back is used again: a new context is a process of its
 * own, and costs more than most tests do.
 */
export class PageShelf {
  readonly #browser: Browser;
  readonly #idle: Page[] = [];
  /** In use, and wanted back. */
  readonly #lent = new WeakSet<Page>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<PageShelf> {
    return new PageShelf(await launchBrowser());
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** A page of this size, maybe one that was used before. */
  async take({ width, height, context }: PageWish): Promise<Page> {
    if (context !== undefined) return this.fresh({ width, height, context });
    const kept = this.#idle.pop();
    await kept?.setViewportSize({ width, height });
    const page = kept ?? (await this.fresh({ width, height }));
    this.#lent.add(page);
    return page;
  }

  /** A page in a context of its own, such as one that is measured. */
  async fresh({ width, height, context }: PageWish): Promise<Page> {
    const made = await this.#browser.newContext({ viewport: { width, height }, ...context });
    made.setDefaultTimeout(PATIENCE_MS);
    return made.newPage();
  }

  /** Empties the page and keeps it, or closes one that nobody else may use. */
  async giveBack(page: Page): Promise<void> {
    if (this.#lent.delete(page) && (await isLeft(page))) this.#idle.push(page);
    else await page.context().close();
  }
}

/** Whether it could be emptied. */
function isLeft(page: Page): Promise<boolean> {
  return leavePage(page).then(
    () => true,
    () => false,
  );
}

import { errors, type Browser, type FrameLocator, type Locator, type Page } from 'playwright-core';

export interface WorkbenchOptions {
  readonly browser: Browser;
  /** `VscodeServer.url`. */
  readonly url: string;
  /** Of the window, in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** What the person's system asks for; VS Code follows it only if told by a setting. */
  readonly colorScheme?: 'light' | 'dark';
}

const READY_TIMEOUT_MS = 120_000;
/** After which something that may have been missed is done once more. */
const AGAIN_MS = 20_000;
const PATIENCE_MS = 120_000;
/** Less than a toast stays. */
const NOTICE_MS = 5_000;

/**
 * Does something to what may go before it is reached, such as a list that is filled anew or one that
 * closes when another part takes the focus: again, until it could be done.
 */
async function persist(attempt: (timeout: number) => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await attempt(AGAIN_MS);
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || Date.now() > end) throw error;
    }
  }
}

/** Opens a window of VS Code and waits for its parts to be drawn. Close it with `page.context()`. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Page> {
  const context = await options.browser.newContext({
    viewport: { ...(options.size ?? { width: 1280, height: 800 }) },
    colorScheme: options.colorScheme ?? 'dark',
  });
  const page = await context.newPage();
  await page.goto(options.url, { waitUntil: 'domcontentloaded', timeout: READY_TIMEOUT_MS });
  await page.locator('.monaco-workbench').waitFor({ timeout: READY_TIMEOUT_MS });
  await page.locator('.activitybar .action-item').first().waitFor({ timeout: READY_TIMEOUT_MS });
  await page.locator('.statusbar').waitFor({ timeout: READY_TIMEOUT_MS });
  return page;
}

/** The inside of the first visible webview: a frame within VS Code's own frame. */
export function panelFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
}

/** Opens the product's view by its item in the activity bar. */
export async function openPatchbayView(page: Page): Promise<FrameLocator> {
  const item = page.locator('.activitybar').getByRole('tab', { name: /^Patchbay/ });
  await item.waitFor({ timeout: READY_TIMEOUT_MS });
  if ((await item.getAttribute('aria-selected')) !== 'true') await item.click();
  const frame = panelFrame(page);
  await frame.locator('body').waitFor({ timeout: READY_TIMEOUT_MS });
  return frame;
}

/**
 * Opens a file by a double click in the explorer: quick open takes the first keys before its list
 * is ready. The file's folders must be open already.
 */
export async function openFile(page: Page, name: string): Promise<void> {
  const explorer = page.locator('.activitybar').getByRole('tab', { name: /^Explorer/ });
  if ((await explorer.getAttribute('aria-selected')) !== 'true') await explorer.click();
  const row = page.locator('.explorer-folders-view').getByRole('treeitem', { name, exact: true });
  const tab = page
    .locator('.tabs-container')
    .getByRole('tab', { name: new RegExp(`^${escapeForRegExp(name)}`) });
  await persist(async (timeout) => {
    await row.dblclick({ timeout });
    await tab.waitFor({ timeout });
  });
}

/** Runs a command by its title in the palette, such as `Patchbay: New Conversation`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  await persist(async (timeout) => {
    await page.keyboard.press('F1');
    await input.fill(`>${title}`, { timeout });
    await row.waitFor({ timeout });
    // It also waits for what it starts, such as a new window: long, so that it is not done twice.
    await row.click({ timeout: 2 * timeout });
  });
}

/**
 * Presses a button of a notification. A toast goes by itself after some seconds, a slow machine may
 * need more; what it says is then in the list of all of them.
 */
export async function pressNotice(page: Page, notice: Locator, name: string): Promise<void> {
  const button = notice.getByRole('button', { name, exact: true }).first();
  await persist(async () => {
    if (!(await button.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
    await button.click({ timeout: NOTICE_MS });
  });
}

/** Writes a picture of the window, or of one part of it. */
export async function screenshot(page: Page, file: string, selector?: string): Promise<void> {
  if (selector === undefined) await page.screenshot({ path: file });
  else await page.locator(selector).first().screenshot({ path: file });
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

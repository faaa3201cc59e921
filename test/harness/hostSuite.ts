import type { Page } from 'playwright-core';
import { createDeferred, type Deferred } from '../../src/base/deferred';
import { launchBrowser } from './browser';
import { isLogNoise } from './logNoise';
import { startServer } from './vscodeServer';

export interface HostSuiteOptions {
  /** Holds the package.json and `dist/` of the extension under test. */
  readonly extensionPath: string;
  /** Folders of other extensions beside it. */
  readonly otherExtensions?: readonly string[];
  /** The module that exports `run()`. */
  readonly testsPath: string;
  readonly workspaceFolder?: string;
  /** In its place: a `.code-workspace`. */
  readonly workspaceFile?: string;
  readonly userSettings?: Readonly<Record<string, unknown>>;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly trust: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logFile?: string;
  /** How long the suite may say nothing, in ms: seven minutes by default. */
  readonly silenceMs?: number;
  /** Gets what the suite prints, line by line, without VS Code's own noise. */
  readonly onLine: (line: string) => void;
}

/** The whole takes as long as it takes: there are more tests each week, and machines differ. */
const SILENCE_MS = 420_000;

/**
 * Runs a suite inside the extension host of VS Code's server, with its workbench in Chromium.
 *
 * @returns the suite's exit code; 0 is success.
 */
export async function runHostSuite(options: HostSuiteOptions): Promise<number> {
  const server = await startServer({ ...options, mode: 'test' });
  try {
    const browser = await launchBrowser();
    try {
      const exit = createDeferred<number>();
      const page = await browser.newPage();
      const limit = options.silenceMs ?? SILENCE_MS;
      const timer = setTimeout(() => {
        exit.reject(new Error(`the suite said nothing for ${limit} ms`));
      }, limit);
      await exposeAutomation(page, exit, (line) => {
        timer.refresh();
        options.onLine(line);
      });
      try {
        await page.goto(server.url, { waitUntil: 'commit', timeout: limit });
        return await exit.promise;
      } finally {
        clearTimeout(timer);
      }
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/** The two functions that VS Code's smoke-test driver calls in its page. */
async function exposeAutomation(
  page: Page,
  exit: Deferred<number>,
  onLine: (line: string) => void,
): Promise<void> {
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    exit.resolve(code);
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
    const text = args.map(toText).join(' ');
    if (isLogNoise(text)) return;
    for (const line of text.split('\n')) onLine(type === 'error' ? `! ${line}` : line);
  });
  page.once('crash', () => {
    exit.reject(new Error("the browser's page crashed"));
  });
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

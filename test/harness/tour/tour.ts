import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { run } from '../boot/run.mjs';
import { launchBrowser } from '../browser';
import { cliEnvironment } from '../model/realCli';
import { inRoot, realCliPath } from '../paths';
import { sampleWorkspace } from '../sampleWorkspace';
import { startServer } from '../vscodeServer';
import { openFile, openPatchbayView, openWorkbench, pressNotice } from '../workbench';
import { PLANTED } from '../model/demoScript';
import { Panel } from './panel';
import { askCalculator, askForErrors, askForOpenFiles, fixError, lookUpSymbol } from './scenes';
import { runTests, stopLongAnswer, surviveCrash, writeTool } from './scenes';
import { Timing } from './timing';
import { startTourModel } from './tourModel';
import { TourStage } from './tourStage';
import type { TranscriptEntry } from './transcript';
import { setSideBarWidth, toggleTheme, themeSetting } from './window';

export interface TourOptions {
  /** Gets `transcript.json`, `timing.json` and the pictures; made if it is missing. */
  readonly outDir: string;
  /** The packed product; without it, it is built and packed from the checkout. */
  readonly vsix?: string;
}

/** For each thing that the tour waits for: a busy machine is slow, and a wait costs nothing. */
const PATIENCE_MS = 120_000;

/** Left by a test runner above us, it would change how the sample's tests report. */
const PLAIN = { NODE_TEST_CONTEXT: undefined };

/** Ends what was started, the last first; every one is tried. */
type Cleanup = (() => Promise<void>)[];

/**
 * A whole conversation in the packed product: real VS Code server, real language server, real CLI,
 * scripted model. Throws with what was expected and what was seen if any of it does not hold;
 * transcript, timing and a picture of that moment are written then as well.
 */
export async function runTour(options: TourOptions): Promise<void> {
  await mkdir(options.outDir, { recursive: true });
  const timing = new Timing();
  const transcript: TranscriptEntry[] = [];
  const cleanup: Cleanup = [];
  try {
    await play(options, timing, transcript, cleanup);
  } finally {
    await writeJson(path.join(options.outDir, 'transcript.json'), transcript);
    await writeJson(path.join(options.outDir, 'timing.json'), timing);
    for (const end of cleanup.reverse()) await end();
  }
}

async function play(
  options: TourOptions,
  timing: Timing,
  transcript: TranscriptEntry[],
  cleanup: Cleanup,
): Promise<void> {
  const { outDir } = options;
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-tour-')));
  cleanup.push(() => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const vsix = options.vsix ?? (await timing.measure('package', () => packProduct(base)));
  const model = await startTourModel();
  cleanup.push(() => model.close());
  const workspace = await sampleWorkspace(path.join(base, 'shop'));
  const home = path.join(base, 'home');
  await mkdir(home);
  const server = await timing.measure('server and extension', () =>
    startServer({
      mode: 'product',
      vsix,
      otherExtensions: [inRoot('docs/samples/calculator-extension')],
      workspaceFolder: workspace,
      trust: true,
      userSettings: themeSetting('dark'),
      machineSettings: { 'patchbay.cli.path': realCliPath },
      env: { ...cliEnvironment(model.url, home), PATCHBAY_OFFLINE_MODEL: '1', ...PLAIN },
      logFile: path.join(outDir, 'server.log'),
    }),
  );
  cleanup.push(() => server.stop());
  const browser = await timing.measure('browser', launchBrowser);
  cleanup.push(() => browser.close());
  const page = await timing.measure('workbench', () => openWorkbench({ browser, url: server.url }));
  page.setDefaultTimeout(PATIENCE_MS);
  let panel: Panel | undefined;
  await withEvidence(
    page,
    () => panel,
    outDir,
    async () => {
      await openSample(page, timing);
      panel = await timing.measure('panel', () => openPanel(page));
      const parts = { page, panel, model, timing, workspace, outDir, transcript };
      const stage = new TourStage(parts);
      await playScenes(stage);
      await takePictures(stage);
    },
  );
}

async function packProduct(folder: string): Promise<string> {
  const file = path.join(folder, 'patchbay.vsix');
  const args = [inRoot('test/harness/package.mjs'), '--out', file];
  const { code, tail } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`tour: the product could not be packed:\n${tail}`);
  return file;
}

/** Opens the file with the planted error and one more, and waits for the language server. */
async function openSample(page: Page, timing: Timing): Promise<void> {
  const folder = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src' });
  await folder.first().click();
  await openFile(page, 'pricing.ts');
  await openFile(page, path.basename(PLANTED.file));
  await timing.measure('first problem', () => page.locator('.squiggly-error').first().waitFor());
}

async function openPanel(page: Page): Promise<Panel> {
  const panel = new Panel(page, await openPatchbayView(page));
  await panel.message.waitFor();
  await allowCalculator(page);
  await setSideBarWidth(page, 400);
  return panel;
}

/** The person is asked about the other extension when the panel is first used. */
async function allowCalculator(page: Page): Promise<void> {
  const asked = page.locator('.notification-list-item', { hasText: 'Calculator for the agent' });
  await pressNotice(page, asked, 'Allow');
  await asked.waitFor({ state: 'detached' });
}

async function playScenes(stage: TourStage): Promise<void> {
  await stage.pictureOfPanel('empty');
  await askForOpenFiles(stage);
  await askForErrors(stage);
  await lookUpSymbol(stage);
  await askCalculator(stage);
  await writeTool(stage);
  await fixError(stage);
  await runTests(stage);
  await stage.panel.scrollToEnd();
  await stage.pictureOfWindow('dark');
  await stopLongAnswer(stage);
  await surviveCrash(stage);
}

async function takePictures(stage: TourStage): Promise<void> {
  await stage.panel.scrollToEnd();
  await toggleTheme(stage.page, 'light');
  await stage.pictureOfWindow('light');
  await setSideBarWidth(stage.page, 300);
  await stage.pictureOfPanel('narrow-300');
}

/** A failed expectation alone does not tell why: what stood in the panel then goes with it. */
async function withEvidence(
  page: Page,
  panel: () => Panel | undefined,
  outDir: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    await page.screenshot({ path: path.join(outDir, 'failure.png') }).catch(() => undefined);
    const shown = await panel()?.allText();
    const words = cause instanceof Error ? cause.message : String(cause);
    const end = shown === undefined ? '' : `\nThe panel showed at the end:\n${shown.slice(-2000)}`;
    throw new Error(`${words}${end}`, { cause });
  }
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { run } from '../boot/run.mjs';
import { launchBrowser } from '../browser';
import { startModel, type ModelRequest, type ModelServer } from '../model/modelServer';
import { offlineVariables } from '../offlineEnvironment';
import { eventually } from '../panelSandbox/eventually';
import { inRoot, realCliPath } from '../paths';
import { sampleWorkspace } from '../sampleWorkspace';
import { Panel } from '../tour/panel';
import { startServer, type VscodeServer } from '../vscodeServer';
import { openWorkbench, runCommand } from '../workbench';
import { Dialogue } from './dialogue';
import { ConsoleLog } from './consoleLog';

export interface ProductOptions {
  /** True: every folder is trusted. False: the workspace is not. */
  readonly trust: boolean;
  /** Added to the sample workspace before the window opens: relative path to text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Done in the sample workspace before the window opens. */
  readonly prepare?: (workspace: string) => Promise<void>;
  /** The name of a second folder of the window, which has one file; without it there is one. */
  readonly secondFolder?: string;
  /** In place of the real CLI: an executable file. */
  readonly cli?: string;
  /** Added to the environment of VS Code and all below it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** For each thing that is waited for: a busy machine is slow, and a wait costs nothing. */
const PATIENCE_MS = 90_000;

/** The webview in the side bar; without the mark, those in editor tabs. */
// A window that is loaded anew may keep an unseen one beside it for a while.
// VS Code makes one anew without its purpose now and then: that is known by where it lies.
const OF_A_VIEW = ':is([src*="purpose=webviewView"], [data-in-side-bar])';
const SIDE_BAR = `iframe.webview${OF_A_VIEW}:visible`;
export const EDITOR_TAB = `iframe.webview:not(${OF_A_VIEW})`;
/** Marks the webviews that lie in the side bar. A text, since it is for the page, whose types are not known here. */
const MARK_SIDE_BAR = `
  const bar = document.querySelector('.part.sidebar')?.getBoundingClientRect();
  for (const frame of document.querySelectorAll('iframe.webview')) {
    const { left, right, width, height } = frame.getBoundingClientRect();
    const isIn = bar && width > 0 && height > 0 && left >= bar.left && right <= bar.right;
    if (isIn) frame.setAttribute('data-in-side-bar', '');
  }
`;
/** The page itself: while it is loaded anew, the next one lies beside it. */
const INSIDE = 'iframe#active-frame';

/** The packed product as a person has it: VS Code, the real CLI below it, a scripted model. */
export class Product {
  readonly page: Page;
  readonly model: ModelServer;
  readonly dialogue: Dialogue;
  readonly server: VscodeServer;
  /** The packed extension that was installed. */
  readonly vsix: string;
  /** The folder that VS Code shows. */
  readonly workspace: string;
  readonly log: ConsoleLog;
  readonly #cleanup: readonly (() => Promise<void>)[];

  constructor(parts: {
    page: Page;
    model: ModelServer;
    dialogue: Dialogue;
    server: VscodeServer;
    vsix: string;
    workspace: string;
    cleanup: readonly (() => Promise<void>)[];
  }) {
    this.page = parts.page;
    this.model = parts.model;
    this.dialogue = parts.dialogue;
    this.server = parts.server;
    this.vsix = parts.vsix;
    this.workspace = parts.workspace;
    this.log = new ConsoleLog(parts.page);
    this.#cleanup = parts.cleanup;
  }

  /** The CLI's own folder, in which it keeps its conversations. */
  get configFolder(): string {
    return path.join(path.dirname(this.workspace), 'home', '.claude');
  }

  /** The inside of the chat in the side bar. */
  get frame(): FrameLocator {
    return this.page.frameLocator(SIDE_BAR).frameLocator(INSIDE);
  }

  /** The inside of the chat in an editor tab; there must be one at most. */
  get tabFrame(): FrameLocator {
    return this.page.frameLocator(EDITOR_TAB).frameLocator(INSIDE);
  }

  /** The chat in the side bar. */
  get panel(): Panel {
    return new Panel(this.page, this.frame);
  }

  /** The chat in an editor tab. */
  get tabPanel(): Panel {
    return new Panel(this.page, this.tabFrame);
  }

  /** Brings the chat to the front. */
  async open(): Promise<Panel> {
    const item = this.page.locator('.activitybar').getByRole('tab', { name: /^Patchbay/ });
    await item.waitFor();
    // A window that is loaded anew puts the side bar back as it was: that is not to be disturbed.
    const anyTitle = this.page.locator('.part.sidebar .title-label').first();
    await anyTitle.waitFor({ timeout: 5000 }).catch(() => undefined);
    // A click on the one in front closes the side bar, and so does one that comes while the window
    // is still putting it back after a reload: then it takes another, and never one too many.
    // The title stands there as soon as the side bar is open; the view in it may take long.
    const title = this.page.locator('.part.sidebar .title-label', { hasText: 'Patchbay' });
    const shown = this.page.locator(SIDE_BAR);
    await eventually(async () => {
      const isOpen = await title.isVisible();
      if (!isOpen) await item.click();
      await this.page.evaluate(MARK_SIDE_BAR);
      await (isOpen ? shown : title).waitFor({ timeout: 5000 }).catch(() => undefined);
      return shown.isVisible();
    }, PATIENCE_MS);
    await this.panel.message.waitFor();
    return this.panel;
  }

  /** Loads the window anew, as the person can. */
  async reload(): Promise<void> {
    await this.loadAnew();
    await this.open();
  }

  /** The same, without waiting for the chat. */
  async loadAnew(): Promise<void> {
    for (;;) {
      const loaded = this.page.waitForEvent('domcontentloaded').then(() => true);
      // The browser asks about changes that are not backed up yet. The log says no to it, as to
      // every dialog, and then it is tried again.
      const held = this.page.waitForEvent('dialog').then(() => false);
      const either = Promise.race([loaded, held]);
      for (const one of [loaded, held, either]) one.catch(() => undefined);
      await runCommand(this.page, 'Developer: Reload Window');
      if (await either) return;
    }
  }

  /** Puts another view in the place of the chat. */
  async hide(): Promise<void> {
    await this.page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer/ })
      .click();
    await this.page.locator(SIDE_BAR).waitFor({ state: 'hidden' });
  }

  /** The model's requests for this prompt, without the CLI's own small ones. */
  requestsFor(prompt: string): readonly ModelRequest[] {
    return this.model.requests.filter((each) => !each.isSide && each.turn.prompt === prompt);
  }

  /** Moves the focus in the side bar's chat until it is on the target. */
  readonly tabTo = async (target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> => {
    const isFocused = async (): Promise<boolean> =>
      (await target.and(this.frame.locator(':focus')).count()) > 0;
    for (let count = 0; count < 60; count += 1) {
      if (await isFocused()) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${String(target)} is not reached by ${key}`);
  };

  async close(): Promise<void> {
    for (const end of this.#cleanup.toReversed()) await end();
  }
}

/** Starts everything. The packed product is `PATCHBAY_VSIX`, else it is built and packed. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const cleanup: (() => Promise<void>)[] = [];
  try {
    return await start(options, cleanup);
  } catch (error) {
    for (const end of cleanup.reverse()) await end();
    throw error;
  }
}

async function start(options: ProductOptions, cleanup: (() => Promise<void>)[]): Promise<Product> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-product-')));
  cleanup.push(() => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  // A space in the path, because a person's has one too.
  const workspace = await sampleWorkspace(path.join(base, 'my shop'));
  await addFiles(workspace, options.files ?? {});
  await options.prepare?.(workspace);
  const { secondFolder } = options;
  const home = path.join(base, 'home');
  await mkdir(home);
  const dialogue = new Dialogue();
  const model = await startModel({ script: dialogue.script });
  cleanup.push(() => model.close());
  const vsix = process.env.PATCHBAY_VSIX ?? (await pack(base));
  const server = await startServer({
    mode: 'product',
    vsix,
    ...(secondFolder === undefined
      ? { workspaceFolder: workspace }
      : { workspaceFile: await severalFolders(workspace, secondFolder) }),
    trust: options.trust,
    // Settings would open in a dialog over the window, whose editor has no tab.
    userSettings: { 'files.autoSave': 'off', 'workbench.editor.useModal': 'off' },
    machineSettings: { 'patchbay.cli.path': options.cli ?? realCliPath },
    env: { ...offlineVariables(model.url, home), NODE_TEST_CONTEXT: undefined, ...options.env },
    logFile: process.env.PATCHBAY_ARTIFACTS && artifact('product-server.log'),
  });
  cleanup.push(() => server.stop());
  const browser = await launchBrowser();
  cleanup.push(() => browser.close());
  const page = await openWorkbench({ browser, url: server.url });
  page.setDefaultTimeout(PATIENCE_MS);
  return new Product({ page, model, dialogue, server, vsix, workspace, cleanup });
}

async function addFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** A workspace of the sample and a folder beside it. Returns its file. */
async function severalFolders(sample: string, name: string): Promise<string> {
  const base = path.dirname(sample);
  await addFiles(path.join(base, name), { 'README.md': `# ${name}\n` });
  const file = path.join(base, 'several.code-workspace');
  const folders = [{ path: path.basename(sample) }, { path: name }];
  await writeFile(file, JSON.stringify({ folders }));
  return file;
}

async function pack(folder: string): Promise<string> {
  const file = path.join(folder, 'patchbay.vsix');
  const args = [inRoot('test/harness/package.mjs'), '--out', file];
  const { code, tail } = await run(process.execPath, args);
  if (code !== 0) throw new Error(`The product could not be packed:\n${tail}`);
  return file;
}

/** Where a run leaves what tells of a failure. */
export function artifact(name: string): string {
  return path.join(process.env.PATCHBAY_ARTIFACTS ?? tmpdir(), name);
}

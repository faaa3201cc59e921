import type { BrowserContextOptions, Page } from 'playwright-core';
import { applyPatch, type Patch } from '../../../src/chat/patchProtocol';
import type { HostMessage, PromptEdit, ViewMessage } from '../../../src/chat/viewProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { buildPanel } from './buildPanel';
import { PageShelf } from './pageShelf';
import { openPage } from './servePage';
import type { ThemeName } from './themes';

export interface PanelOptions {
  readonly theme?: ThemeName;
  readonly ground?: 'sideBar' | 'editor';
  readonly width?: number;
  readonly height?: number;
  readonly draft?: string;
  readonly edit?: PromptEdit;
  readonly l10n?: Record<string, string>;
  readonly context?: BrowserContextOptions;
  /** False: the host stays silent after `ready`. */
  readonly answerReady?: boolean;
}

/** The built webview in a browser, without VS Code: served from memory, no network at all. */
export class PanelSandbox {
  readonly #shelf: PageShelf;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  /** Whether a page may be one that was used before. */
  readonly #reuses: boolean;

  private constructor(shelf: PageShelf, files: ReadonlyMap<string, Uint8Array>, reuses: boolean) {
    this.#shelf = shelf;
    this.#files = files;
    this.#reuses = reuses;
  }

  /**
   * Each panel in a context of its own.
   *
   * @param built path to bytes; without it the panel is built from what lies here
   */
  static async start(built?: ReadonlyMap<string, Uint8Array>): Promise<PanelSandbox> {
    // First what can fail: a browser left behind would keep the process alive.
    const files = built ?? (await buildPanel('webview'));
    return new PanelSandbox(await PageShelf.start(), files, false);
  }

  /** One panel after the other in the same page, which is much quicker. */
  static async startReusing(): Promise<PanelSandbox> {
    const files = await buildPanel('webview');
    return new PanelSandbox(await PageShelf.start(), files, true);
  }

  async close(): Promise<void> {
    await this.#shelf.close();
  }

  /** A picture of a page of ours that loads nothing. */
  async drawHtml(html: string, viewport: { width: number; height: number }): Promise<Uint8Array> {
    const page = await this.#shelf.fresh(viewport);
    try {
      await page.setContent(html);
      await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
      return await page.screenshot();
    } finally {
      await this.#shelf.giveBack(page);
    }
  }

  /** An empty page beside the panel's, to be measured against. */
  newPage(viewport: { width: number; height: number }): Promise<Page> {
    return this.#shelf.fresh(viewport);
  }

  async open(state: ViewState, options: PanelOptions = {}): Promise<SandboxPanel> {
    const { width = 400, height = 980, context } = options;
    const shelf = this.#shelf;
    const wish = { width, height, context };
    const page = await (this.#reuses ? shelf.take(wish) : shelf.fresh(wish));
    const panel = new SandboxPanel(page, state, options, () => shelf.giveBack(page));
    await openPage(page, {
      files: this.#files,
      name: 'webview',
      theme: options.theme ?? 'dark',
      ground: options.ground ?? 'sideBar',
      // Only the view posts here, and it posts nothing else.
      received: (message) => panel.received(message as ViewMessage),
      failed: (text) => panel.errors.push(text),
      requested: (url) => panel.requests.push(url),
    });
    return panel;
  }
}

/** One open panel and its host's side: answers `ready`, keeps what the view posted. */
export class SandboxPanel {
  readonly page: Page;
  readonly posted: ViewMessage[] = [];
  readonly errors: string[] = [];
  /** Addresses outside the page that something tried to load. */
  readonly requests: string[] = [];
  /** As the view will have it once all that was sent has come. */
  #state: ViewState;
  readonly #options: PanelOptions;
  readonly #leave: () => Promise<void>;
  #seq = 0;
  /** A snapshot is on its way: a view that asks again meanwhile, as after a while it does, has it soon. */
  #answering = false;
  /** What is sent now is not for the view: it was lost, or follows what was. */
  #lost = false;

  constructor(page: Page, state: ViewState, options: PanelOptions, leave: () => Promise<void>) {
    this.#leave = leave;
    this.page = page;
    this.#state = structuredClone(state);
    this.#options = options;
  }

  async received(message: ViewMessage): Promise<void> {
    this.posted.push(message);
    if (message.type !== 'ready' || this.#options.answerReady === false || this.#answering) return;
    this.#answering = true;
    try {
      await this.snapshot(this.#state);
    } finally {
      this.#answering = false;
    }
  }

  /** What the view posted of one kind. */
  sent<K extends ViewMessage['type']>(type: K): Extract<ViewMessage, { type: K }>[] {
    return this.posted.filter((m): m is Extract<ViewMessage, { type: K }> => m.type === type);
  }

  async snapshot(state: ViewState): Promise<void> {
    this.#state = structuredClone(state);
    this.#lost = false;
    this.#seq += 1;
    const { draft = '', edit, l10n } = this.#options;
    const more = { ...(edit && { edit }), ...(l10n && { l10n }) };
    await this.send({ type: 'snapshot', seq: this.#seq, state, draft, ...more });
  }

  async patch(...patches: readonly Patch[]): Promise<void> {
    await this.send(this.#next(patches));
  }

  /** As the host does: a snapshot that is asked for later holds it too. */
  #next(patches: readonly Patch[]): HostMessage {
    if (!this.#lost) for (const patch of patches) applyPatch(this.#state, structuredClone(patch));
    this.#seq += 1;
    return { type: 'patches', seq: this.#seq, patches };
  }

  /** Sends batches at once, each a message of its own. */
  async burst(batches: readonly (readonly Patch[])[]): Promise<void> {
    const messages = batches.map((patches) => this.#next(patches));
    await this.#post(messages);
  }

  /** Sends batches one after the other, so many milliseconds apart, by the page's own clock. */
  async stream(batches: readonly (readonly Patch[])[], everyMs: number): Promise<void> {
    const messages = batches.map((patches) => this.#next(patches));
    await this.page.evaluate(postSteadily, { messages, everyMs });
  }

  /** Replaces what the next `ready` is answered with, without telling the view. */
  hold(state: ViewState): void {
    this.#state = structuredClone(state);
  }

  /** Loses a message: the next patch leaves a gap. */
  skip(): void {
    this.#seq += 1;
    this.#lost = true;
  }

  async send(message: HostMessage): Promise<void> {
    await this.#post([message]);
  }

  /** Resolves when the view has taken them: what is drawn outside of a frame stands there then. */
  async #post(messages: readonly HostMessage[]): Promise<void> {
    await this.page.evaluate(
      (list) =>
        new Promise<void>((resolve) => {
          // Messages come in their order, so that this one is the last.
          const mark = crypto.randomUUID();
          const taken = (event: MessageEvent<unknown>): void => {
            if (event.data !== mark) return;
            window.removeEventListener('message', taken);
            resolve();
          };
          window.addEventListener('message', taken);
          for (const message of list) window.postMessage(message);
          window.postMessage(mark);
        }),
      messages,
    );
  }

  async close(): Promise<void> {
    await this.#leave();
  }
}

/** Runs in the page. Timers that come late post what is due by then, so that the rate stays. */
export async function postSteadily(order: {
  readonly messages: readonly unknown[];
  readonly everyMs: number;
}): Promise<void> {
  const { messages, everyMs } = order;
  const start = performance.now();
  let next = 0;
  while (next < messages.length) {
    const due = Math.min(messages.length, Math.floor((performance.now() - start) / everyMs) + 1);
    for (; next < due; next += 1) window.postMessage(messages[next]);
    await new Promise((resolve) => setTimeout(resolve, everyMs / 2));
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

import type { BrowserContextOptions, Page } from 'playwright-core';
import type { FrameRow } from '../../../src/chat/frameRowProtocol';
import type {
  FrameDetail,
  InspectorHostMessage,
  InspectorMessage,
} from '../../../src/chat/inspectorProtocol';
import { buildPanel } from './buildPanel';
import { PageShelf } from './pageShelf';
import { openPage } from './servePage';
import type { ThemeName } from './themes';

export interface InspectorOptions {
  readonly rows?: readonly FrameRow[];
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly dropped?: number;
  readonly context?: BrowserContextOptions;
  /** What the host answers when a frame is looked at. */
  readonly detail?: (n: number) => FrameDetail;
}

/** The inspector's page as it ships, in a browser without VS Code. */
export class InspectorSandbox {
  readonly #shelf: PageShelf;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  private constructor(shelf: PageShelf, files: ReadonlyMap<string, Uint8Array>) {
    this.#shelf = shelf;
    this.#files = files;
  }

  static async start(): Promise<InspectorSandbox> {
    // First what can fail: a browser left behind would keep the process alive.
    const files = await buildPanel('inspector');
    return new InspectorSandbox(await PageShelf.start(), files);
  }

  async close(): Promise<void> {
    await this.#shelf.close();
  }

  async open(options: InspectorOptions = {}): Promise<SandboxInspector> {
    const page = await this.#shelf.take({
      width: options.width ?? 1000,
      height: options.height ?? 640,
      context: options.context,
    });
    const inspector = new SandboxInspector(page, options, () => this.#shelf.giveBack(page));
    await openPage(page, {
      files: this.#files,
      name: 'inspector',
      theme: options.theme ?? 'dark',
      ground: 'editor',
      received: (message) => inspector.received(message as InspectorMessage),
      failed: (text) => inspector.errors.push(text),
    });
    return inspector;
  }
}

/** One open inspector and its host's side. */
export class SandboxInspector {
  readonly posted: InspectorMessage[] = [];
  readonly errors: string[] = [];
  readonly page: Page;
  readonly #leave: () => Promise<void>;
  readonly #options: InspectorOptions;
  /** The start is on its way: a page that asks again meanwhile has it soon. */
  #isStarting = false;

  constructor(page: Page, options: InspectorOptions, leave: () => Promise<void>) {
    this.page = page;
    this.#leave = leave;
    this.#options = options;
  }

  async received(message: InspectorMessage): Promise<void> {
    this.posted.push(message);
    if (message.type === 'ready' && !this.#isStarting) {
      this.#isStarting = true;
      await this.start(this.#options.rows ?? []).finally(() => (this.#isStarting = false));
    }
    if (message.type === 'detail' && this.#options.detail) {
      await this.send({ type: 'detail', detail: this.#options.detail(message.n) });
    }
  }

  async start(rows: readonly FrameRow[]): Promise<void> {
    const { dropped = 0 } = this.#options;
    await this.send({
      type: 'start',
      conversation: 'Rename calcTotal · shop',
      rows,
      counts: { first: rows[0]?.n ?? 1, dropped, missed: 0 },
      isPaused: false,
      redaction: { secrets: true, contents: true },
    });
  }

  async send(message: InspectorHostMessage): Promise<void> {
    // As one text: ten thousand objects, each looked at by the driver, would take longer than the
    // page waits before it asks again.
    await this.page.evaluate(
      (json) => window.postMessage(JSON.parse(json)),
      JSON.stringify(message),
    );
  }

  async close(): Promise<void> {
    await this.#leave();
  }
}

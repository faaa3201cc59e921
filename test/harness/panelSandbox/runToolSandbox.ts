import type { Page } from 'playwright-core';
import { createFormCard } from '../../../src/chat/formCards';
import type {
  RunToolHostMessage,
  RunToolMessage,
  RunView,
} from '../../../src/chat/runToolProtocol';
import { toolForm } from '../../../src/chat/toolForm';
import { buildPanel } from './buildPanel';
import { PageShelf } from './pageShelf';
import { openPage } from './servePage';
import type { ThemeName } from './themes';

export interface RunToolOptions {
  readonly view?: Partial<RunView>;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
}

/** Arguments of every kind. */
export const SCHEMA = {
  type: 'object',
  properties: {
    owner: { type: 'string', description: 'Whose marks; all where it is empty.' },
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    order: { enum: ['by name', 'by date'], description: 'How they are sorted.' },
    kinds: { type: 'array', items: { enum: ['TODO', 'FIXME', 'HACK'] }, minItems: 1 },
    deep: { type: 'boolean', description: 'Below folders that git ignores as well.' },
    paths: { type: 'array', items: { type: 'string' } },
  },
  required: ['order', 'kinds'],
};

const asker = { server: 'workspace', title: 'Count marks', trusted: true };

export const VIEW: RunView = {
  title: 'Count marks',
  wireName: 'mcp__workspace__todo',
  description: 'Counts TODO marks by owner in the open workspace.',
  form: {
    ...createFormCard({ ...asker, id: 'arguments', message: '', schema: {} }),
    fields: toolForm(SCHEMA).fields,
  },
};

/** What a tool asks while it runs. */
export const ASK = createFormCard({
  ...asker,
  id: 'ask-1',
  message: 'Which branch shall be compared?',
  schema: { properties: { branch: { type: 'string', minLength: 1 } }, required: ['branch'] },
});

/** The form of *Run Tool…* as it ships, in a browser without VS Code. */
export class RunToolSandbox {
  readonly #shelf: PageShelf;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  private constructor(shelf: PageShelf, files: ReadonlyMap<string, Uint8Array>) {
    this.#shelf = shelf;
    this.#files = files;
  }

  static async start(): Promise<RunToolSandbox> {
    // First what can fail: a browser left behind would keep the process alive.
    const files = await buildPanel('runTool');
    return new RunToolSandbox(await PageShelf.start(), files);
  }

  async close(): Promise<void> {
    await this.#shelf.close();
  }

  async open(options: RunToolOptions = {}): Promise<SandboxRunTool> {
    const page = await this.#shelf.take({
      width: options.width ?? 800,
      height: options.height ?? 760,
    });
    const opened = new SandboxRunTool(page, { ...VIEW, ...options.view }, () =>
      this.#shelf.giveBack(page),
    );
    await openPage(page, {
      files: this.#files,
      name: 'runTool',
      theme: options.theme ?? 'dark',
      ground: 'editor',
      received: (message) => opened.received(message as RunToolMessage),
      failed: (text) => opened.errors.push(text),
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return opened;
  }
}

/** One open page and its host's side. */
export class SandboxRunTool {
  readonly posted: RunToolMessage[] = [];
  readonly errors: string[] = [];
  readonly page: Page;
  readonly #leave: () => Promise<void>;
  #view: RunView;

  constructor(page: Page, view: RunView, leave: () => Promise<void>) {
    this.page = page;
    this.#leave = leave;
    this.#view = view;
  }

  async received(message: RunToolMessage): Promise<void> {
    this.posted.push(message);
    if (message.type === 'ready') await this.show({});
  }

  /** What the host shows from now on. */
  async show(change: Partial<RunView>): Promise<void> {
    this.#view = { ...this.#view, ...change };
    const message: RunToolHostMessage = { type: 'show', view: this.#view };
    await this.page.evaluate(
      (json) => window.postMessage(JSON.parse(json)),
      JSON.stringify(message),
    );
  }

  /** Messages of one type. */
  sent<Type extends RunToolMessage['type']>(type: Type) {
    return this.posted.filter(
      (message): message is Extract<RunToolMessage, { type: Type }> => message.type === type,
    );
  }

  async close(): Promise<void> {
    await this.#leave();
  }
}

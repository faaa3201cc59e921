import type { Page } from 'playwright-core';
import type {
  RulesShown,
  VerdictShown,
  WhatIfHostMessage,
  WhatIfMessage,
} from '../../../src/chat/whatIfProtocol';
import { builtInTools } from '../../../src/host/whatIf';
import { buildPanel } from './buildPanel';
import { PageShelf } from './pageShelf';
import { openPage } from './servePage';
import type { ThemeName } from './themes';

export interface WhatIfOptions {
  readonly shown?: Partial<RulesShown>;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What the host says to a call. */
  readonly judge?: (call: Extract<WhatIfMessage, { type: 'judge' }>) => VerdictShown;
}

/** Rules of each kind and source. */
export const SHOWN: RulesShown = {
  rules: [
    {
      behavior: 'deny',
      text: 'Read(./.env)',
      source: 'projectSettings',
      file: '/w/.claude/settings.json',
    },
    {
      behavior: 'deny',
      text: 'Bash(git push:*)',
      source: 'userSettings',
      file: '/h/settings.json',
    },
    {
      behavior: 'ask',
      text: 'WebFetch(domain:*.example.org)',
      source: 'localSettings',
      file: '/w/l.json',
    },
    { behavior: 'allow', text: 'Bash(npm test:*)', source: 'localSettings', file: '/w/l.json' },
    { behavior: 'allow', text: 'mcp__code__diagnostics', source: 'cliArg' },
    {
      ...{ behavior: 'allow', text: 'Edit(src/**)', source: 'projectSettings' },
      ...{ file: '/w/.claude/settings.json' },
      idle: 'Does not count before the agent has been told, in a terminal, to trust this folder.',
    },
    {
      ...{ behavior: 'allow', text: 'Bash(make', source: 'userSettings', file: '/h/settings.json' },
      idle: 'Left out by the agent: its parenthesis is not closed, or text stands behind it.',
    },
  ],
  origin: 'files',
  folder: 'shop',
  notes: [],
  tools: builtInTools(),
  modes: [
    { id: 'default', label: 'Ask' },
    { id: 'acceptEdits', label: 'Accept edits' },
    { id: 'plan', label: 'Plan' },
  ],
  mode: 'default',
};

/** The page *What would happen?* as it ships, in a browser without VS Code. */
export class WhatIfSandbox {
  readonly #shelf: PageShelf;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  private constructor(shelf: PageShelf, files: ReadonlyMap<string, Uint8Array>) {
    this.#shelf = shelf;
    this.#files = files;
  }

  static async start(): Promise<WhatIfSandbox> {
    // First what can fail: a browser left behind would keep the process alive.
    const files = await buildPanel('whatIf');
    return new WhatIfSandbox(await PageShelf.start(), files);
  }

  async close(): Promise<void> {
    await this.#shelf.close();
  }

  async open(options: WhatIfOptions = {}): Promise<SandboxWhatIf> {
    const page = await this.#shelf.take({
      width: options.width ?? 800,
      height: options.height ?? 720,
    });
    const whatIf = new SandboxWhatIf(page, options, () => this.#shelf.giveBack(page));
    await openPage(page, {
      files: this.#files,
      name: 'whatIf',
      theme: options.theme ?? 'dark',
      ground: 'editor',
      received: (message) => whatIf.received(message as WhatIfMessage),
      failed: (text) => whatIf.errors.push(text),
    });
    return whatIf;
  }
}

/** One open page and its host's side. */
export class SandboxWhatIf {
  readonly posted: WhatIfMessage[] = [];
  readonly errors: string[] = [];
  readonly page: Page;
  readonly #leave: () => Promise<void>;
  readonly #options: WhatIfOptions;
  #isStarting = false;

  constructor(page: Page, options: WhatIfOptions, leave: () => Promise<void>) {
    this.page = page;
    this.#leave = leave;
    this.#options = options;
  }

  async received(message: WhatIfMessage): Promise<void> {
    this.posted.push(message);
    if ((message.type === 'ready' || message.type === 'refresh') && !this.#isStarting) {
      this.#isStarting = true;
      const shown = { ...SHOWN, ...this.#options.shown };
      await this.send({ type: 'start', shown }).finally(() => (this.#isStarting = false));
    }
    if (message.type === 'judge' && this.#options.judge) {
      await this.send({ type: 'verdict', n: message.n, verdict: this.#options.judge(message) });
    }
  }

  async send(message: WhatIfHostMessage): Promise<void> {
    await this.page.evaluate(
      (json) => window.postMessage(JSON.parse(json)),
      JSON.stringify(message),
    );
  }

  async close(): Promise<void> {
    await this.#leave();
  }
}

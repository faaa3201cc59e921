import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';

/** The chat panel as a person reaches it: by roles and names only. */
export class Panel {
  readonly page: Page;
  readonly #frame: FrameLocator;

  constructor(page: Page, frame: FrameLocator) {
    this.page = page;
    this.#frame = frame;
  }

  get main(): Locator {
    return this.#frame.getByRole('main', { name: 'Patchbay chat', exact: true });
  }

  get message(): Locator {
    return this.#frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  get stopButton(): Locator {
    return this.#frame.getByRole('button', { name: 'Stop', exact: true });
  }

  get alert(): Locator {
    return this.#frame.getByRole('alert');
  }

  get usage(): Locator {
    return this.#frame.getByRole('button', { name: /^Usage: / });
  }

  /** What stands in the opened usage: label to figure. */
  async usageFigures(): Promise<ReadonlyMap<string, string>> {
    const figures = this.#frame.getByRole('definition');
    await figures.first().waitFor();
    const labels = await this.#frame.getByRole('term').allInnerTexts();
    const values = await figures.allInnerTexts();
    return new Map(labels.map((label, index) => [label, values[index] ?? '']));
  }

  /** The state of the turn, in words. */
  get status(): Locator {
    return this.#frame.getByRole('status').filter({
      hasText: /^\s*(Idle|Starting|Waiting|Working|Retrying|Stopping|Failed|Not connected)/,
    });
  }

  articles(name: 'You' | 'Claude'): Locator {
    return this.#frame.getByRole('article', { name, exact: true });
  }

  get allArticles(): Locator {
    return this.#frame.getByRole('log', { name: 'Conversation', exact: true }).getByRole('article');
  }

  permission(title = /^Permission request: /): Locator {
    return this.#frame.getByRole('group', { name: title });
  }

  /** What of the workspace waits for consent. */
  approval(title = /^Approval: /): Locator {
    return this.#frame.getByRole('group', { name: title });
  }

  /** All that the panel says, technical details unfolded; undefined if it is not there. */
  async allText(): Promise<string | undefined> {
    const details = this.#frame.getByRole('button', { name: 'Details', expanded: false });
    try {
      for (const fold of await details.all()) await fold.click({ timeout: 1000 });
      return await this.main.innerText({ timeout: 1000 });
    } catch {
      return undefined;
    }
  }

  /** Scrolls to the end of the conversation, if it is not there. */
  async scrollToEnd(): Promise<void> {
    const jump = this.#frame.getByRole('button', { name: 'Jump to latest', exact: true });
    // It may go before the click: what comes meanwhile can put the end in sight.
    while (await jump.isVisible()) {
      await jump.click({ timeout: 1000 }).catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error;
      });
    }
  }

  /** Types the prompt, sends it with Enter, and waits until the panel has taken it. */
  async send(prompt: string): Promise<void> {
    const before = await this.articles('You').count();
    await this.message.fill(prompt);
    await this.message.press('Enter');
    await this.articles('You').nth(before).waitFor();
    // The tour has read back in the meantime, and the panel does not tear a reader away.
    await this.scrollToEnd();
  }

  /**
   * Waits until the answer with this number (from 0) is there and nothing runs any more. Returns
   * early when the turn failed, with whatever is there then.
   */
  async waitForAnswer(number: number): Promise<Locator> {
    const answer = this.articles('Claude').nth(number);
    const failed = this.status.filter({ hasText: /^\s*(Failed|Not connected)/ });
    await answer.or(failed).first().waitFor();
    await this.waitForStatus(/^\s*(Idle|Failed|Not connected)/);
    return answer;
  }

  async waitForStatus(words: RegExp): Promise<string> {
    const status = this.status.filter({ hasText: words });
    await status.waitFor();
    return (await status.innerText()).trim();
  }
}

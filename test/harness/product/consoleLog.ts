import type { Page } from 'playwright-core';

export interface ConsoleLine {
  readonly text: string;
  /** Of the document or the script that caused it. */
  readonly url: string;
}

/** What a window's documents complained about, and what they asked of the network. */
export class ConsoleLog {
  readonly lines: ConsoleLine[] = [];
  readonly requests: string[] = [];
  readonly dialogs: string[] = [];

  constructor(page: Page) {
    page.on('console', (message) => {
      this.lines.push({ text: message.text(), url: message.location().url });
    });
    page.on('request', (request) => {
      this.requests.push(request.url());
    });
    page.on('dialog', (dialog) => {
      this.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  }

  /** What a content security policy has refused. */
  get refusals(): readonly ConsoleLine[] {
    return this.lines.filter(({ text }) => /content security policy/i.test(text));
  }
}

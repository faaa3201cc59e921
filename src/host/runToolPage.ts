import { assertNever } from '../base/assertNever';
import { checkForm } from '../base/checkForm';
import { createDeferred, type Deferred } from '../base/deferred';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { FormDraft } from '../base/formField';
import type { Logger } from '../base/logger';
import type { FormCard } from '../chat/askProtocol';
import { createFormCard } from '../chat/formCards';
import {
  type RunEnd,
  type RunToolHostMessage,
  type RunToolMessage,
  type RunView,
  tryParseRunToolMessage,
} from '../chat/runToolProtocol';
import type { AskQuestion, FormAnswer } from '../mcp/askPort';

/** The page, as far as it is not VS Code's. */
export interface RunToolSurface {
  readonly onDidReceiveMessage: Event<unknown>;
  post(message: RunToolHostMessage): PromiseLike<boolean>;
  /** Brings it before the person's eyes. */
  reveal(): void;
  close(): void;
}

export interface RunToolPagePorts {
  readonly log: Logger;
  l10n(): Record<string, string> | undefined;
  /** Runs the tool with what the form gave. Never rejects. */
  run(content: Readonly<Record<string, unknown>>, page: RunningPage): Promise<RunEnd>;
  showResult(): void;
}

/** What a run may use of the page. */
export interface RunningPage {
  readonly signal: AbortSignal;
  progress(text: string): void;
  /** Asks the person by a form of the tool's. */
  ask(question: AskQuestion): Promise<FormAnswer>;
}

interface Asking {
  readonly card: FormCard;
  readonly answer: Deferred<FormAnswer>;
}

/** The form of one tool: filled in, run, filled in again. What was typed stays until it is closed. */
export class RunToolPage implements Disposable {
  readonly #surface: RunToolSurface;
  readonly #ports: RunToolPagePorts;
  readonly #store = new DisposableStore();
  #view: RunView;
  #asking: Asking | undefined;
  #run: AbortController | undefined;
  #asks = 0;

  constructor(surface: RunToolSurface, ports: RunToolPagePorts, view: RunView) {
    this.#surface = surface;
    this.#ports = ports;
    this.#view = view;
    this.#store.add(
      surface.onDidReceiveMessage((value) => {
        const message = tryParseRunToolMessage(value);
        if (message === undefined) ports.log.warn('The form of a tool sent what is not understood');
        else this.#receive(message);
      }),
    );
  }

  get view(): RunView {
    return this.#view;
  }

  /** Runs it without a form: there is nothing to fill in. Undefined where it runs already. */
  start(): Promise<RunEnd | undefined> {
    return this.#submit(this.#view.form.id, {});
  }

  /** Ends what runs, and says no to nobody: what is asked was left without an answer. */
  dispose(): void {
    this.#store.dispose();
    this.#run?.abort();
    this.#settle({ action: 'cancel' });
  }

  #receive(message: RunToolMessage): void {
    switch (message.type) {
      case 'ready':
        this.#show({}, true);
        return;
      case 'draft':
        this.#keep(message.cardId, message.draft);
        return;
      case 'submit':
        void this.#submit(message.cardId, message.draft);
        return;
      case 'decline':
        if (this.#asking?.card.id === message.cardId) this.#settle({ action: 'decline' });
        return;
      case 'cancel':
        if (this.#run) this.#run.abort();
        else this.#surface.close();
        return;
      case 'showResult':
        this.#ports.showResult();
        return;
      case 'viewError':
        this.#ports.log.error(`The form of a tool failed: ${message.message}`);
        return;
      default:
        assertNever(message, 'message of the form');
    }
  }

  /** Not sent back: the page is ahead of it. */
  #keep(cardId: string, draft: FormDraft): void {
    const { form, ask } = this.#view;
    if (form.id === cardId) this.#view = { ...this.#view, form: { ...form, draft } };
    else if (ask?.id === cardId) this.#view = { ...this.#view, ask: { ...ask, draft } };
  }

  async #submit(cardId: string, draft: FormDraft): Promise<RunEnd | undefined> {
    this.#keep(cardId, draft);
    const asking = this.#asking;
    if (asking?.card.id === cardId) {
      const checked = checkForm(asking.card.fields, draft);
      if (checked.ok) this.#settle({ action: 'accept', content: checked.content, draft });
      return undefined;
    }
    const { form } = this.#view;
    const checked = checkForm(form.fields, draft);
    if (form.id !== cardId || this.#run !== undefined || !checked.ok) return undefined;
    const run = new AbortController();
    this.#run = run;
    this.#show({ running: '', end: undefined });
    const end = await this.#ports.run(checked.content, {
      signal: run.signal,
      progress: (text) => {
        if (this.#run === run) this.#show({ running: text });
      },
      ask: (question) => this.#ask(question, run),
    });
    this.#run = undefined;
    // A tool may have gone without the answer to what it asked.
    this.#settle({ action: 'cancel' });
    this.#show({ running: undefined, end });
    return end;
  }

  /** One at a time: a second question waits for the first, and none is put once its run is over. */
  async #ask(question: AskQuestion, run: AbortController): Promise<FormAnswer> {
    const { server, tool, message, schema, signal, again } = question;
    const isOver = (): boolean =>
      signal.aborted || run.signal.aborted || this.#run !== run || this.#store.isDisposed;
    while (this.#asking && !isOver()) await this.#asking.answer.promise;
    if (isOver()) return { action: 'cancel' };
    const id = `ask-${(this.#asks += 1)}`;
    const facts = { id, server, title: tool, message, schema, again, trusted: true };
    const asking: Asking = { card: createFormCard(facts), answer: createDeferred<FormAnswer>() };
    this.#asking = asking;
    this.#show({ ask: asking.card });
    this.#surface.reveal();
    const onAbort = (): void => {
      if (this.#asking === asking) this.#settle({ action: 'cancel' });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await asking.answer.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #settle(answer: FormAnswer): void {
    const asking = this.#asking;
    if (asking === undefined) return;
    // First of all: whoever waits for its turn would wait again for what is answered, without end.
    this.#asking = undefined;
    this.#show({ ask: undefined });
    asking.answer.resolve(answer);
  }

  #show(change: Partial<RunView>, isFirst = false): void {
    this.#view = { ...this.#view, ...change };
    if (this.#store.isDisposed) return;
    const l10n = isFirst ? { l10n: this.#ports.l10n() } : {};
    void this.#surface.post({ type: 'show', view: this.#view, ...l10n });
  }
}

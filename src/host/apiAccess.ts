import { extensions } from 'vscode';
import { createDeferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Logger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import type { ApiHub, OfferKind } from './apiHub';
import { callingExtension } from './callingExtension';
import type {
  ApiAnswer,
  ApiConversation,
  ApiDisposable,
  ConversationOptions,
  PatchbayApi,
  Registration,
  ToolCallEvent,
} from './patchbayApi';
import { pendingConversation } from './pendingConversation';

export interface ApiAccessOptions {
  /** Our own id, whose files every call goes through. */
  readonly own: string;
  readonly log: Logger;
  /** Loads what is behind; it calls {@link ApiAccess.attach}. */
  readonly load: () => Promise<unknown>;
}

/**
 * What other extensions get, from activation on. What they register waits here until the panel is
 * used first: their start must not cost that of our whole.
 */
export class ApiAccess {
  readonly #options: ApiAccessOptions;
  readonly #called = new Emitter<ToolCallEvent>();
  readonly #hub = createDeferred<ApiHub>();

  readonly api: PatchbayApi = {
    apiVersion: 1,
    registerTool: (tool) => this.#register('tool', tool),
    registerServer: (server) => this.#register('server', server),
    registerPrompt: (prompt) => this.#register('prompt', prompt),
    registerResource: (resource) => this.#register('resource', resource),
    registerHook: (hook) => this.#register('hook', hook),
    ask: (prompt, options) => this.#ask(prompt, options),
    startConversation: (options) => this.#start(options),
    onDidCallTool: (listener) => {
      const listening = this.#called.event(listener);
      return { dispose: () => void listening.dispose() };
    },
    onDidServerEvent: (listener) => this.#listen((hub) => hub.onDidServerEvent(listener)),
  };

  constructor(options: ApiAccessOptions) {
    this.#options = options;
  }

  attach(hub: ApiHub): void {
    hub.onDidCallTool((call) => {
      this.#called.fire(call);
    });
    this.#hub.resolve(hub);
  }

  /** Nothing is measured for those who only might listen, so each listens by itself. */
  #listen(to: (hub: ApiHub) => Disposable): ApiDisposable {
    let listening: Disposable | undefined;
    let isOver = false;
    void this.#hub.promise.then((hub) => {
      if (!isOver) listening = to(hub);
    });
    return {
      dispose: () => {
        isOver = true;
        void listening?.dispose();
      },
    };
  }

  #register(kind: OfferKind, definition: unknown): Registration {
    const source = this.#caller();
    let offer: { dispose(): unknown } | undefined;
    const gone = new AbortController();
    const offered = this.#hub.promise.then(async (hub) => {
      gone.signal.throwIfAborted();
      offer = hub.offer(source, kind, definition);
      await hub.settled(offer);
    });
    const ready = untilAborted(offered, gone.signal);
    ready.catch((error: unknown) => {
      if (gone.signal.aborted) return;
      this.#options.log.warn(`${source} could not register a ${kind}: ${String(error)}`);
    });
    return {
      ready,
      dispose: () => {
        gone.abort(new Error('It was disposed of before it was offered'));
        offer?.dispose();
      },
    };
  }

  async #ask(prompt: string, options: ConversationOptions = {}): Promise<ApiAnswer> {
    for await (const message of this.#start({ ...options, prompt })) {
      if (message.type !== 'result') continue;
      const { text, turns, costUsd, isError, reason } = message;
      if (isError) throw new Error(text === '' ? reason : text);
      return { text, turns, costUsd };
    }
    throw new Error('The agent gave no answer');
  }

  #start(options: ConversationOptions & { readonly prompt: string }): ApiConversation {
    const source = this.#caller();
    return pendingConversation((gone) => this.#begin(source, options, gone));
  }

  async #begin(
    source: string,
    options: ConversationOptions & { readonly prompt: string },
    gone: AbortSignal,
  ): Promise<ApiConversation> {
    const signal = options.signal === undefined ? gone : AbortSignal.any([options.signal, gone]);
    signal.throwIfAborted();
    await this.#options.load();
    const hub = await this.#hub.promise;
    return hub.startConversation(source, { ...options, signal });
  }

  /** @throws Error where no extension can be told: nobody could be asked about it */
  #caller(): string {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    const { stack = '' } = new Error();
    Error.stackTraceLimit = limit;
    const caller = callingExtension(stack, extensions.all, this.#options.own);
    if (caller === undefined) {
      throw new Error(
        'Patchbay cannot tell which extension calls it; call it from a file of yours',
      );
    }
    return caller;
  }
}

import * as l10n from '@vscode/l10n';
import {
  type ExtensionContext,
  l10n as l10nBundle,
  ProgressLocation,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from 'vscode';
import { createDeferred } from '../base/deferred';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Logger } from '../base/logger';
import { createFormCard } from '../chat/formCards';
import type { RunEnd, RunToolHostMessage } from '../chat/runToolProtocol';
import { toolForm } from '../chat/toolForm';
import { visibleText } from '../chat/visibleText';
import { wireName } from '../mcp/names';
import { resultText } from '../mcp/resultText';
import { runTool } from '../mcp/runTool';
import type { SwitchedServers } from '../mcp/switchedServers';
import type { WireTool } from '../mcp/wire';
import { withoutPatterns } from '../mcp/withoutPatterns';
import { fillPage } from './fillPage';
import type { LastCalls } from './lastCalls';
import { runText } from './modelText';
import { type RunningPage, RunToolPage } from './runToolPage';
import type { ToolTexts } from './toolTexts';
import { runToolPanelType } from './views';

export interface RunToolPorts {
  readonly context: ExtensionContext;
  readonly log: Logger;
  readonly registry: SwitchedServers;
  readonly calls: LastCalls;
  readonly texts: ToolTexts;
  /** Folder in which a conversation would work; empty in a window without one. */
  readonly cwd: () => string;
}

/** *Run Tool…* for one tool: an editor tab with its form. A tool without arguments runs at once. */
export class RunToolPanel implements Disposable {
  readonly #ports: RunToolPorts;
  readonly #server: string;
  readonly #tool: WireTool;
  readonly #wire: string;
  readonly #store = new DisposableStore();
  readonly #received = this.#store.add(new Emitter<unknown>());
  readonly #page: RunToolPage;
  readonly #onClosed: () => void;
  readonly #form: ReturnType<typeof toolForm>;
  #panel: WebviewPanel | undefined;
  #result: (() => string) | undefined;

  /** @param onClosed called once, when the tab is gone */
  constructor(ports: RunToolPorts, server: string, tool: WireTool, onClosed: () => void) {
    this.#ports = ports;
    this.#server = server;
    this.#tool = tool;
    this.#wire = wireName(server, tool.name);
    this.#onClosed = onClosed;
    // Those of somebody else's server may take for ever.
    const isOurs = ports.registry.find(server)?.kind === 'own';
    this.#form = toolForm(isOurs ? tool.inputSchema : withoutPatterns(tool.inputSchema));
    const title = visibleText(tool.title ?? tool.name);
    const card = createFormCard({
      ...{ id: 'arguments', server, title, message: '', schema: {}, trusted: true },
    });
    this.#page = this.#store.add(
      new RunToolPage(
        {
          onDidReceiveMessage: this.#received.event,
          post: (message) => this.#post(message),
          reveal: () => this.reveal(),
          close: () => this.dispose(),
        },
        {
          log: ports.log,
          l10n: () => l10nBundle.bundle,
          run: (content, page) => this.#run(this.#form.read(content), page),
          showResult: () => void this.#showResult(),
        },
        {
          title,
          wireName: this.#wire,
          description: visibleText(tool.description),
          form: { ...card, fields: this.#form.fields },
        },
      ),
    );
  }

  /** For tests: what the page shows. */
  get page(): RunToolPage {
    return this.#page;
  }

  /** Whether it has the form of the tool as this is now. */
  isOf({ title, description, inputSchema }: WireTool): boolean {
    const known = this.#tool;
    return (
      known.title === title &&
      known.description === description &&
      JSON.stringify(known.inputSchema) === JSON.stringify(inputSchema)
    );
  }

  /** Opens the form, or runs what needs none. */
  open(): void {
    if (this.#form.fields.length > 0 || this.#panel) this.reveal();
    else void this.#runAtOnce();
  }

  reveal(): void {
    if (this.#panel) this.#panel.reveal();
    else this.#create();
  }

  dispose(): void {
    if (this.#store.isDisposed) return;
    this.#store.dispose();
    this.#panel?.dispose();
    this.#onClosed();
  }

  /** Its tab comes only where the tool asks something, or is run again. */
  async #runAtOnce(): Promise<void> {
    const end = await this.#page.start();
    if (end === undefined || this.#panel) return;
    if (this.#result === undefined && end.kind !== 'cancelled') {
      void window.showWarningMessage(`${this.#page.view.title}: ${end.text}`);
    }
    this.dispose();
  }

  #create(): void {
    const { context } = this.#ports;
    const title = l10n.t('Run {0}', this.#page.view.title);
    // Beside the file that the tool may look at: over it, the editor would show no file any more.
    const where = window.activeTextEditor ? ViewColumn.Beside : ViewColumn.Active;
    const panel = window.createWebviewPanel(runToolPanelType, title, where, {
      retainContextWhenHidden: false,
    });
    this.#panel = panel;
    const icon = Uri.joinPath(context.extensionUri, 'media', 'icon.png');
    panel.iconPath = { light: icon, dark: icon };
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received.fire(message));
    panel.onDidDispose(() => this.dispose());
    // Last, so that no message of the page comes before somebody listens.
    fillPage(panel, context.extensionUri, { name: 'runTool', title });
  }

  #post(message: RunToolHostMessage): PromiseLike<boolean> {
    return this.#panel?.webview.postMessage(message) ?? Promise.resolve(false);
  }

  async #run(input: unknown, page: RunningPage): Promise<RunEnd> {
    const ended = createDeferred<RunEnd>();
    const location = ProgressLocation.Notification;
    const title = l10n.t('Running {0}', this.#page.view.title);
    void window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
      const stop = new AbortController();
      const onStop = (): void => stop.abort();
      page.signal.addEventListener('abort', onStop, { once: true });
      const listening = token.onCancellationRequested(onStop);
      try {
        const tell = (text: string): void => {
          progress.report({ message: text });
          page.progress(text);
        };
        ended.resolve(await this.#call(input, page, stop.signal, tell));
      } catch (error) {
        this.#ports.log.error(`${this.#wire} could not be run`, error);
        ended.resolve({ kind: 'failed', text: l10n.t('It could not be run. The log says why.') });
      } finally {
        listening.dispose();
        page.signal.removeEventListener('abort', onStop);
      }
    });
    return ended.promise;
  }

  async #call(
    input: unknown,
    page: RunningPage,
    signal: AbortSignal,
    tell: (text: string) => void,
  ): Promise<RunEnd> {
    const { log, registry, calls, cwd } = this.#ports;
    const began = Date.now();
    const outcome = await runTool({
      ...{ registry, log, server: this.#server, tool: this.#tool.name, input, signal },
      conversation: { id: 'run-tool', cwd: cwd() },
      ask: (question) => page.ask(question),
      onProgress: ({ done, total, message }) => tell(progressText(done, total, message)),
    });
    const durationMs = Date.now() - began;
    if (signal.aborted) return { kind: 'cancelled', text: l10n.t('Stopped') };
    if (outcome.kind === 'badInput') return { kind: 'badInput', text: outcome.message };
    const isError = outcome.kind === 'error' || outcome.result.isError === true;
    calls.add({ tool: this.#wire, outcome: isError ? 'error' : 'success', durationMs }, true);
    const text = outcome.kind === 'error' ? outcome.message : resultText(outcome.result);
    const seconds = (durationMs / 1000).toFixed(1);
    this.#result = () => runText({ wireName: this.#wire, input, seconds, isError, text });
    await this.#showResult();
    return isError
      ? { kind: 'failed', text: l10n.t('Failed after {0} s', seconds) }
      : { kind: 'done', text: l10n.t('Done after {0} s', seconds) };
  }

  async #showResult(): Promise<void> {
    const text = this.#result;
    if (text === undefined) return;
    const where = this.#panel ? ViewColumn.Beside : ViewColumn.Active;
    await this.#ports.texts.show(`${this.#wire} ${l10n.t('result')}.md`, text, where);
  }
}

function progressText(done: number, total: number | undefined, message: string | undefined) {
  const figure = total === undefined ? String(done) : l10n.t('{0} of {1}', done, total);
  return message === undefined ? figure : `${visibleText(message)} (${figure})`;
}

import * as l10n from '@vscode/l10n';
import { env, Uri, type Webview } from 'vscode';
import { DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { HostMessage } from '../chat/viewProtocol';
import { commands } from './commands';
import type { ViewSurface } from './viewSurface';
import { chatHtml, failureHtml } from './webviewHtml';

/** What differs between a view in the side bar and an editor tab. */
export interface WebviewFrame {
  visible(): boolean;
  reveal(): void;
  setTitle(title: string): void;
  setBadge(count: number): void;
}

/**
 * One webview with the chat's page in it. Loads nothing but itself, so that the page is up and its
 * messages are kept while the rest of the extension is still being loaded.
 */
export class WebviewHost implements ViewSurface {
  readonly place: string;
  readonly #webview: Webview;
  readonly #extensionUri: Uri;
  readonly #frame: WebviewFrame;
  readonly #store = new DisposableStore();
  readonly #visibility = this.#store.add(new Emitter<boolean>());
  readonly #activated = this.#store.add(new Emitter<void>());
  readonly #disposed = new Emitter<void>();
  readonly #received = this.#store.add(new Emitter<unknown>());
  /** Messages from before the first listener. */
  #early: unknown[] | undefined = [];

  readonly onDidChangeVisibility: Event<boolean> = this.#visibility.event;
  readonly onDidActivate: Event<void> = this.#activated.event;
  readonly onDidDispose: Event<void> = this.#disposed.event;

  constructor(webview: Webview, extensionUri: Uri, place: string, frame: WebviewFrame) {
    this.#webview = webview;
    this.#extensionUri = extensionUri;
    this.#frame = frame;
    this.place = place;
    this.#store.add(
      webview.onDidReceiveMessage((message: unknown) => {
        if (this.#early) this.#early.push(message);
        else this.#received.fire(message);
      }),
    );
    this.reload();
  }

  readonly onDidReceiveMessage: Event<unknown> = (listener) => {
    const subscription = this.#received.event(listener);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const message of early) listener(message);
    return subscription;
  };

  get visible(): boolean {
    return this.#frame.visible();
  }

  reveal(): void {
    this.#frame.reveal();
  }

  setTitle(title: string): void {
    this.#frame.setTitle(title);
  }

  setBadge(count: number): void {
    this.#frame.setBadge(count);
  }

  async post(message: HostMessage): Promise<boolean> {
    return this.#webview.postMessage(message);
  }

  /** For the owner of the frame: what the frame has told. */
  tell(what: 'visibility' | 'active' | 'disposed'): void {
    if (what === 'visibility') this.#visibility.fire(this.visible);
    else if (what === 'active') this.#activated.fire();
    else {
      this.#disposed.fire();
      this.#store.dispose();
    }
  }

  reload(): void {
    const dist = Uri.joinPath(this.#extensionUri, 'dist');
    const uri = (name: string): string =>
      this.#webview.asWebviewUri(Uri.joinPath(dist, name)).toString();
    this.#webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#webview.html = chatHtml({
      cspSource: this.#webview.cspSource,
      nonce: crypto.randomUUID(),
      script: uri('webview.js'),
      styles: [uri('webview.css')],
      language: env.language,
      title: 'Patchbay',
      place: this.place,
    });
  }

  showFailure(reason: string): void {
    const links = [
      { command: commands.showLog.id, label: l10n.t('Show log') },
      { command: 'workbench.action.reloadWindow', label: l10n.t('Reload the window') },
    ];
    this.#webview.options = {
      enableScripts: false,
      localResourceRoots: [],
      enableCommandUris: links.map((link) => link.command),
    };
    this.#webview.html = failureHtml({
      language: env.language,
      title: 'Patchbay',
      message: l10n.t('The chat could not be loaded'),
      details: reason,
      links,
    });
  }
}

import * as l10n from '@vscode/l10n';
import type { Uri, WebviewView, WebviewViewProvider } from 'vscode';
import type { ViewSurface } from './viewSurface';
import { WebviewHost } from './webviewHost';
import { WINDOW_PLACE } from './placeIds';

/** The chat in the side bar. */
export class ChatViewProvider implements WebviewViewProvider {
  readonly #extensionUri: Uri;
  readonly #attach: (surface: ViewSurface) => void;

  constructor(extensionUri: Uri, attach: (surface: ViewSurface) => void) {
    this.#extensionUri = extensionUri;
    this.#attach = attach;
  }

  resolveWebviewView(view: WebviewView): void {
    const host = new WebviewHost(view.webview, this.#extensionUri, WINDOW_PLACE, {
      visible: () => view.visible,
      reveal: () => {
        view.show(false);
      },
      // The container already says whose it is; a title that changes with every prompt would jump.
      setTitle: () => undefined,
      setBadge: (value) => {
        view.badge =
          value === 0 ? undefined : { value, tooltip: l10n.t('{0} waiting for you', value) };
      },
    });
    view.onDidChangeVisibility(() => {
      host.tell('visibility');
    });
    view.onDidDispose(() => {
      host.tell('disposed');
    });
    this.#attach(host);
  }
}

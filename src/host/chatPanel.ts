import { Uri, ViewColumn, window, type WebviewPanel, type WebviewPanelSerializer } from 'vscode';
import { newTabPlace, placeOfState } from './placeIds';
import type { ViewSurface } from './viewSurface';
import { chatPanelType } from './views';
import { WebviewHost } from './webviewHost';

/** The chat as editor tabs: opens new ones, and takes over those that a reload left. */
export class ChatPanels implements WebviewPanelSerializer {
  readonly #extensionUri: Uri;
  readonly #attach: (surface: ViewSurface) => void;

  constructor(extensionUri: Uri, attach: (surface: ViewSurface) => void) {
    this.#extensionUri = extensionUri;
    this.#attach = attach;
  }

  /** Opens a tab with a conversation of its own, or with the one that is in the place already. */
  open(place = newTabPlace()): void {
    const panel = window.createWebviewPanel(chatPanelType, 'Patchbay', ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    this.#adopt(panel, place);
  }

  deserializeWebviewPanel(panel: WebviewPanel, state: unknown): Promise<void> {
    this.#adopt(panel, placeOfState(state) ?? newTabPlace());
    return Promise.resolve();
  }

  #adopt(panel: WebviewPanel, place: string): void {
    const icon = Uri.joinPath(this.#extensionUri, 'media', 'icon.png');
    panel.iconPath = { light: icon, dark: icon };
    const host = new WebviewHost(panel.webview, this.#extensionUri, place, {
      visible: () => panel.visible,
      reveal: () => {
        panel.reveal(undefined, false);
      },
      setTitle: (title) => {
        const shown = title === '' ? 'Patchbay' : title;
        if (panel.title !== shown) panel.title = shown;
      },
      setBadge: () => undefined,
    });
    panel.onDidChangeViewState(() => {
      host.tell('visibility');
      if (panel.active) host.tell('active');
    });
    panel.onDidDispose(() => {
      host.tell('disposed');
    });
    this.#attach(host);
    if (panel.active) host.tell('active');
  }
}
